/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The arms of a condition, a row each; a page has some columns more than a terminal. */
final class ArmTable {
  /** In place of a latency at a percentile that failed requests have. */
  static final String ERROR = "error";

  private final ConditionResult result;
  private final Comparison comparison;
  private final boolean forPage;
  private final Columns<String> columns = new Columns<>();

  private ArmTable(ConditionResult result, Comparison comparison, boolean forPage) {
    this.result = result;
    this.comparison = comparison;
    this.forPage = forPage;
    columns.add("arm", arm -> arm);
  }

  static Table of(ConditionResult result, Comparison comparison, boolean forPage) {
    ArmTable table = new ArmTable(result, comparison, forPage);
    table.addAll();
    return table.columns.table(1, result.arms());
  }

  /** Each arm divided by the reference. */
  static Table ratios(ConditionResult result, Comparison comparison) {
    Columns<String> columns = new Columns<>();
    columns.add("/ " + result.reference(), arm -> arm);
    for (Metric metric : comparison.metrics()) {
      if (metric != Metric.P95 && metric != Metric.MEAN) {
        columns.add(
            metric.label(),
            arm ->
                comparison.isError(metric, arm) ? ERROR : comparison.ratio(metric, arm).toRatio());
      }
    }
    if (comparison.family().size() > 1) {
      columns.add("throughput at equal p99", arm -> comparison.throughputAtEqualP99(arm).toRatio());
    }
    if (result.condition().isDisturbed()) {
      long threshold = result.healthyP999Micros();
      columns.add("touched", arm -> comparison.ratioOfSharesSlowerThan(threshold, arm).toRatio());
    }
    return columns.table(1, result.challengers());
  }

  private void addAll() {
    if (forPage) {
      columns.add(
          "requests", arm -> Unit.COUNT.format((double) result.pooled(arm).getTotalCount()));
    }
    columns.add("requests/s", arm -> Unit.COUNT.format(comparison.mean(Metric.THROUGHPUT, arm)));
    for (double percentile : new double[] {50, 95, 99, 99.9}) {
      addPercentile("p" + Unit.PLAIN.format(percentile), percentile);
    }
    if (forPage) {
      addPercentile("max", 100);
      double readShare = result.condition().load().mix().readShare();
      if (readShare > 0 && readShare < 1) {
        columns.add("read p99", arm -> millis(result.pooled(arm, run -> run.result().reads()), 99));
        columns.add(
            "write p99", arm -> millis(result.pooled(arm, run -> run.result().writes()), 99));
      }
    }
    columns.add("node CPU", arm -> Unit.MILLISECONDS.format(comparison.mean(Metric.NODE_CPU, arm)));
    if (forPage && comparison.hasMessages()) {
      columns.add("messages", arm -> Unit.PLAIN.format(comparison.mean(Metric.MESSAGES, arm)));
    }
    if (result.condition().isDisturbed()) {
      addDisturbed();
    }
    if (result.hasCosts()) {
      addCosts();
    }
    if (result.runs().stream().allMatch(run -> run.storage() != null)) {
      Simulated.addTo(columns, result, forPage);
    }
    if (result.arms().stream().anyMatch(arm -> comparison.copies(arm) > 0)) {
      columns.add("copies", arm -> Unit.SHARE.format(comparison.copies(arm)));
    }
    columns.add("errors", arm -> String.valueOf(comparison.errors(arm)));
  }

  private void addDisturbed() {
    Condition condition = result.condition();
    long threshold = result.healthyP999Micros();
    long stuck = CampaignReport.STUCK_MILLIS * 1_000;
    if (condition.hasKnownSickNodes()) {
      columns.add(
          "coordinated by it",
          arm -> Unit.SHARE.format(Shares.COORDINATED.ofDisturbed(result.runs(arm))));
      columns.add(
          "read by it", arm -> Unit.SHARE.format(Shares.READ.ofDisturbed(result.runs(arm))));
    }
    if (forPage) {
      columns.add("touched requests", arm -> String.valueOf(comparison.slowerThan(threshold, arm)));
    }
    columns.add(
        "touched", arm -> Unit.SHARE.format(comparison.shareSlowerThan(threshold, arm).estimate()));
    columns.add("stuck >100 ms", arm -> String.valueOf(comparison.slowerThan(stuck, arm)));
    if (forPage && condition.pausesNodes()) {
      columns.add(
          "stuck per pause and client",
          arm ->
              Unit.PLAIN.format(
                  comparison.stuckPerPauseAndClient(comparison.slowerThan(stuck, arm), arm)));
    }
  }

  private void addCosts() {
    addCost("GC share of time", Unit.SHARE, Costs::pauseShare);
    addCost("GC a 1000 requests", Unit.MILLISECONDS, Costs::pauseMicrosPerRequest);
    addCost("heap a request", Unit.BYTES, Costs::heapBytesPerRequest);
    if (result.condition().load().mix().readShare() < 1) {
      addCost("written a byte", Unit.PLAIN, Costs::writeAmplification);
    }
    if (forPage) {
      addCost("compiling", Unit.SHARE, Costs::compilingShare);
      addCost("read from disk", Unit.BYTES, Costs::storageBytesRead);
      addCost("memory", Unit.BYTES, Costs::residentBytes);
    }
  }

  private void addCost(String heading, Unit unit, ToDoubleFunction<Costs> cost) {
    columns.add(heading, arm -> unit.format(cost.applyAsDouble(Costs.of(result.runs(arm)))));
  }

  private void addPercentile(String heading, double percentile) {
    columns.add(
        heading,
        arm ->
            comparison.isError(percentile, arm) ? ERROR : millis(result.pooled(arm), percentile));
  }

  private static String millis(Histogram histogram, double percentile) {
    return Unit.MILLISECONDS.format(histogram.getValueAtPercentile(percentile) / 1e3);
  }

  /** One row a run, the discarded ones included. */
  static Table runs(ConditionResult result) {
    return new Columns<ArmRun>()
        .add("block", run -> run.block() + "." + run.order())
        .add("arm", ArmRun::arm)
        .add("note", run -> note(result, run))
        .add("p50", run -> millis(run.result().all(), 50))
        .add("p99", run -> millis(run.result().all(), 99))
        .add("p99.9", run -> millis(run.result().all(), 99.9))
        .add(
            "generator late p99",
            run -> Unit.MILLISECONDS.format(run.quality().latenessP99Millis()))
        .add("other programs", run -> Unit.SHARE.format(run.quality().foreignCpuShare()))
        .table(3, result.runs());
  }

  private static String note(ConditionResult result, ArmRun run) {
    String note = result.condition().isDisturbed() && !run.disturbed() ? "all well" : "";
    return run.counts()
        ? note
        : (note + " discarded: " + String.join("; ", run.violations())).strip();
  }
}
