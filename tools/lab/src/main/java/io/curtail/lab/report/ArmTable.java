/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.Run;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The arms of a condition, a row each; a page has some columns more than a terminal. */
final class ArmTable {
  private final ConditionResult result;
  private final Comparison comparison;
  private final boolean forPage;
  private final List<String> headings = new ArrayList<>();
  private final List<Function<String, String>> cells = new ArrayList<>();

  private ArmTable(ConditionResult result, Comparison comparison, boolean forPage) {
    this.result = result;
    this.comparison = comparison;
    this.forPage = forPage;
  }

  static Table of(ConditionResult result, Comparison comparison, boolean forPage) {
    ArmTable columns = new ArmTable(result, comparison, forPage);
    columns.addAll();
    return columns.table("arm", result.arms());
  }

  /** Each arm divided by the reference. */
  static Table ratios(ConditionResult result, Comparison comparison) {
    ArmTable columns = new ArmTable(result, comparison, false);
    for (Metric metric : comparison.metrics()) {
      if (metric != Metric.P95 && metric != Metric.MEAN) {
        columns.add(metric.label(), arm -> comparison.ratio(metric, arm).toRatio());
      }
    }
    if (comparison.family().size() > 1) {
      columns.add("throughput at equal p99", arm -> comparison.throughputAtEqualP99(arm).toRatio());
    }
    if (result.condition().isDisturbed()) {
      long threshold = result.healthyP999Micros();
      columns.add("touched", arm -> comparison.ratioOfSharesSlowerThan(threshold, arm).toRatio());
    }
    return columns.table("/ " + result.reference(), result.challengers());
  }

  private void addAll() {
    if (forPage) {
      add("requests", arm -> Unit.COUNT.format((double) result.pooled(arm).getTotalCount()));
    }
    add("requests/s", arm -> Unit.COUNT.format(comparison.mean(Metric.THROUGHPUT, arm)));
    for (double percentile : new double[] {50, 95, 99, 99.9}) {
      addPercentile("p" + Unit.PLAIN.format(percentile), percentile);
    }
    if (forPage) {
      addPercentile("max", 100);
      double readShare = result.condition().load().mix().readShare();
      if (readShare > 0 && readShare < 1) {
        add("read p99", arm -> millis(result.pooled(arm, run -> run.result().reads()), 99));
        add("write p99", arm -> millis(result.pooled(arm, run -> run.result().writes()), 99));
      }
    }
    add("node CPU", arm -> Unit.MILLISECONDS.format(comparison.mean(Metric.NODE_CPU, arm)));
    if (result.condition().isDisturbed()) {
      addDisturbed();
    }
    if (result.hasCosts()) {
      addCosts();
    }
    add("errors", arm -> String.valueOf(comparison.errors(arm)));
  }

  private void addDisturbed() {
    Condition condition = result.condition();
    long threshold = result.healthyP999Micros();
    long stuck = CampaignReport.STUCK_MILLIS * 1_000;
    add("coordinated by it", arm -> Unit.SHARE.format(Shares.ofDisturbed(result.runs(arm))));
    add("read by it", arm -> Unit.SHARE.format(ReadShares.ofDisturbed(result.runs(arm))));
    if (forPage) {
      add("touched requests", arm -> String.valueOf(comparison.slowerThan(threshold, arm)));
    }
    add("touched", arm -> Unit.SHARE.format(comparison.shareSlowerThan(threshold, arm).estimate()));
    add("stuck >100 ms", arm -> String.valueOf(comparison.slowerThan(stuck, arm)));
    if (forPage && condition.pausesNodes()) {
      add(
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
      addCost("read from disk", Unit.BYTES, Costs::storageBytesRead);
      addCost("memory", Unit.BYTES, Costs::residentBytes);
    }
  }

  private void addCost(String heading, Unit unit, ToDoubleFunction<Costs> cost) {
    add(heading, arm -> unit.format(cost.applyAsDouble(Costs.of(result.runs(arm)))));
  }

  private void addPercentile(String heading, double percentile) {
    add(heading, arm -> millis(result.pooled(arm), percentile));
  }

  private static String millis(Histogram histogram, double percentile) {
    return Unit.MILLISECONDS.format(histogram.getValueAtPercentile(percentile) / 1e3);
  }

  private void add(String heading, Function<String, String> cell) {
    headings.add(heading);
    cells.add(cell);
  }

  private Table table(String first, List<String> arms) {
    headings.add(0, first);
    Table table = new Table(1, headings.toArray(new String[0]));
    for (String arm : arms) {
      List<String> row = new ArrayList<>(List.of(arm));
      cells.forEach(cell -> row.add(cell.apply(arm)));
      table.row(row);
    }
    return table;
  }

  /** One row a run, the discarded ones included. */
  static Table runs(ConditionResult result) {
    Table table =
        new Table(
            3,
            "block",
            "arm",
            "note",
            "p50",
            "p99",
            "p99.9",
            "generator late p99",
            "other programs");
    for (Run run : result.runs()) {
      Histogram all = run.result().all();
      String note =
          (result.condition().isDisturbed() && !run.disturbed() ? "all well" : "")
              + (run.counts() ? "" : " discarded: " + String.join("; ", run.violations()));
      table.row(
          run.block() + "." + run.order(),
          run.arm(),
          note.strip(),
          millis(all, 50),
          millis(all, 99),
          millis(all, 99.9),
          Unit.MILLISECONDS.format(run.quality().latenessP99Millis()),
          Unit.SHARE.format(run.quality().foreignCpuShare()));
    }
    return table;
  }
}
