/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Interval;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.experiment.RunQuality;
import java.util.List;
import java.util.Map;

/**
 * The layout of {@code report.json}. Latencies are in milliseconds from the intended start, shares
 * between 0 and 1, intervals have a confidence of 95 %.
 */
public record ReportData(
    String tool,
    int layout,
    String finishedAt,
    boolean interrupted,
    Map<String, String> versions,
    Map<String, String> machine,
    Map<String, Object> settings,
    RunQuality discardRules,
    Map<String, Long> diskBytesAfterLoading,
    List<ConditionData> conditions) {

  /**
   * One condition with everything measured under it.
   *
   * @param valid false if no block passed the rules; the numbers are then those of the discarded
   *     runs
   * @param diskMillis what each read of storage takes longer, in every node
   * @param touchedAboveMillis the healthy p99.9 of the reference, null without a disturbance
   * @param lossByDelay null unless a node gets slower step by step
   * @param harm null unless the scenario asks for it
   */
  record ConditionData(
      String scenario,
      String label,
      Double rateHz,
      Integer outstanding,
      double seconds,
      String mix,
      String consistency,
      double diskMillis,
      String disturbance,
      List<Disturbance.Span> disturbedSeconds,
      Double touchedAboveMillis,
      int blocksWanted,
      int blocksCounted,
      int runsDiscarded,
      boolean valid,
      List<ArmData> arms,
      List<RatioData> ratios,
      List<LossByDelay.Loss> lossByDelay,
      List<Harm> harm,
      List<RunData> runs) {}

  /**
   * An arm over all counted blocks.
   *
   * @param answersPerSecond successes while the load lasted
   * @param copies of requests, sent by clients, as a share of the requests
   * @param secondCopies what became of them, null if there were none
   * @param inFlightPerClient the mean, by Little's law
   * @param touched null without a disturbance
   * @param nodeShares of the requests, by coordinator
   * @param readShares of the reads that storage served, by node
   * @param busiestNodeReadsPerSecond the mean over the seconds of what the busiest node served
   * @param nodeCpuMillis processor time of all nodes a request
   * @param messages between nodes a request; NaN if a node did not say
   * @param costs null unless those of the arm's node were followed
   * @param storage null unless its service times are planned
   */
  record ArmData(
      String arm,
      long requests,
      double requestsPerSecond,
      double answersPerSecond,
      long errors,
      double copies,
      CopyShares secondCopies,
      double inFlightPerClient,
      double meanMillis,
      Map<String, Double> percentilesMillis,
      Map<String, Map<String, Double>> percentilesMillisByZone,
      TouchedData touched,
      Map<String, Double> nodeShares,
      Map<String, Double> readShares,
      double busiestNodeReadsPerSecond,
      double nodeCpuMillis,
      double messages,
      Map<String, Double> readMillis,
      Map<String, Double> writeMillis,
      Costs costs,
      Simulated storage) {}

  /**
   * @param disturbedNodeShare of the requests, answered by the nodes that were not well
   * @param disturbedReadShare of the reads, served by their storage
   * @param stuck took longer than {@value CampaignReport#STUCK_MILLIS} ms
   * @param stuckPerPauseAndClient null unless nodes were paused
   */
  record TouchedData(
      double disturbedNodeShare,
      double disturbedReadShare,
      long count,
      Interval share,
      long stuck,
      Double stuckPerPauseAndClient) {}

  /** An arm's metric divided by the reference's. */
  record RatioData(String arm, String reference, String metric, Interval ratio, boolean differs) {}

  /** One run, also if it was discarded. */
  record RunData(
      int block,
      int order,
      String arm,
      boolean disturbed,
      List<String> disturbedNodes,
      long seed,
      boolean counted,
      List<String> violations,
      long requests,
      Map<String, Long> errors,
      Map<String, Double> percentilesMillis,
      Map<String, Double> nodeShares,
      Map<String, Double> readShares,
      double nodeCpuMillis,
      double messages,
      Costs costs,
      RunQuality quality) {}
}
