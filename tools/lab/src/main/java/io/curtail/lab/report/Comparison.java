/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Bootstrap;
import io.curtail.campaign.Interval;
import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides arms by the reference, block by block, so that what all runs of a block share cancels.
 *
 * @param results of all conditions: those that differ only in the number of clients tell what
 *     throughput is to be had at a latency
 */
record Comparison(ConditionResult result, List<ConditionResult> results, long seed) {
  /**
   * The geometric mean over the blocks of the arm's metric divided by the reference's; NaN for a
   * percentile that failed requests have, since a time-out is no latency.
   */
  Interval ratio(Metric metric, String arm) {
    if (isError(metric, arm)) {
      return Interval.NONE;
    }
    return Bootstrap.ratio(values(metric, arm), values(metric, result.reference()), seed);
  }

  private double[] values(Metric metric, String arm) {
    return result.runs(arm).stream().mapToDouble(metric::of).toArray();
  }

  /** What each arm is compared by under this condition. */
  List<Metric> metrics() {
    return Arrays.stream(Metric.values())
        .filter(metric -> !metric.isCost() || result.hasCosts())
        .filter(metric -> metric != Metric.MESSAGES || hasMessages())
        .toList();
  }

  /** A node alone sends none. */
  boolean hasMessages() {
    return result.arms().stream().anyMatch(arm -> mean(Metric.MESSAGES, arm) > 0);
  }

  /** The valid conditions that differ in the number of clients alone, by that number. */
  List<ConditionResult> family() {
    return results.stream()
        .filter(ConditionResult::isValid)
        .filter(other -> other.condition().differsOnlyInClients(result.condition()))
        .sorted(Comparator.comparingInt(other -> other.condition().load().outstanding()))
        .toList();
  }

  /**
   * What the arm answers while its p99 is no worse than the reference's under this condition,
   * divided by what that answers.
   */
  Interval throughputAtEqualP99(String arm) {
    if (isError(Metric.P99, result.reference())) {
      return Interval.NONE;
    }
    int blocks = family().stream().mapToInt(other -> other.blocks().size()).min().orElse(0);
    List<ArmRun> reference = result.runs(result.reference()).stream().limit(blocks).toList();
    double[] throughput =
        IntStream.range(0, reference.size())
            .mapToDouble(
                nth -> EqualP99.throughput(curve(arm, nth), Metric.P99.of(reference.get(nth))))
            .toArray();
    double[] ofReference = reference.stream().mapToDouble(Metric.THROUGHPUT::of).toArray();
    return Bootstrap.ratio(throughput, ofReference, seed);
  }

  /** Of the nth blocks that count: others may have been discarded with other numbers of clients. */
  private List<EqualP99.Point> curve(String arm, int nth) {
    return family().stream()
        .flatMap(other -> other.runs(arm).stream().skip(nth).limit(1))
        .map(run -> new EqualP99.Point(Metric.THROUGHPUT.of(run), Metric.P99.of(run)))
        .toList();
  }

  /** The share of the arm's requests that took longer than so many microseconds. */
  Interval shareSlowerThan(long micros, String arm) {
    return Bootstrap.ratioOfSums(slowAndAll(micros, arm), seed);
  }

  /** The arm's share divided by the reference's; NaN if the reference has none. */
  Interval ratioOfSharesSlowerThan(long micros, String arm) {
    double[][] of = slowAndAll(micros, arm);
    double[][] by = slowAndAll(micros, result.reference());
    double[][] rows = new double[of.length][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {of[i][0], of[i][1], by[i][0], by[i][1]};
    }
    return Bootstrap.interval(
        rows,
        sample ->
            Bootstrap.sum(sample, 0)
                / Bootstrap.sum(sample, 1)
                / (Bootstrap.sum(sample, 2) / Bootstrap.sum(sample, 3)),
        seed);
  }

  private double[][] slowAndAll(long micros, String arm) {
    return result.runs(arm).stream()
        .map(ArmRun::result)
        .map(run -> new double[] {run.slowerThan(micros), run.requests()})
        .toArray(double[][]::new);
  }

  /** How many requests took longer, over all runs of the arm. */
  long slowerThan(long micros, String arm) {
    return result.runs(arm).stream().mapToLong(run -> run.result().slowerThan(micros)).sum();
  }

  /** The mean over the runs. */
  double mean(Metric metric, String arm) {
    return Arrays.stream(values(metric, arm)).average().orElse(0);
  }

  long errors(String arm) {
    return result.runs(arm).stream()
        .flatMap(run -> run.result().errors().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Of the requests. */
  double errorShare(String arm) {
    return (double) errors(arm) / requests(arm);
  }

  /**
   * Whether failed requests, which count as slower than all others, have this percentile: it is no
   * latency then.
   */
  boolean isError(double percentile, String arm) {
    return errorShare(arm) > 1 - percentile / 100;
  }

  /** Whether the arm or the reference has no such latency. */
  boolean isError(Metric metric, String arm) {
    return isError(metric.percentile(), arm) || isError(metric.percentile(), result.reference());
  }

  private long requests(String arm) {
    return result.runs(arm).stream().mapToLong(run -> run.result().requests()).sum();
  }

  /** Second copies that clients sent, as a share of the requests. */
  double copies(String arm) {
    long copies = result.runs(arm).stream().mapToLong(run -> run.result().copies().sent()).sum();
    return (double) copies / requests(arm);
  }

  /** Of what was answered while the load lasted. */
  Interval ratioOfAnswers(String arm) {
    return Bootstrap.ratio(answers(arm), answers(result.reference()), seed);
  }

  private double[] answers(String arm) {
    return result.runs(arm).stream().mapToDouble(run -> run.result().answersPerSecond()).toArray();
  }

  /** NaN unless nodes were paused. */
  double stuckPerPauseAndClient(long stuck, String arm) {
    Condition condition = result.condition();
    if (!condition.pausesNodes()) {
      return Double.NaN;
    }
    int pauses = condition.disturbance().spans(condition.load().length()).size();
    int clients = result.runs(arm).get(0).result().clients();
    return (double) stuck / pauses / result.blocks().size() / clients;
  }
}
