/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Interval;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The results as tables for a terminal. */
final class ReportText {
  private final StringBuilder text = new StringBuilder();

  ReportText(List<ConditionResult> results, long seed) {
    for (ConditionResult result : results) {
      add(result, new Comparison(result, seed));
    }
  }

  private void add(ConditionResult result, Comparison comparison) {
    Condition condition = result.condition();
    text.append('\n').append(condition.title());
    text.append(" (").append(result.blocks().size()).append(" runs of each");
    if (result.discardedRuns() > 0) {
      text.append(", ").append(result.discardedRuns()).append(" runs discarded");
    }
    if (condition.isDisturbed()) {
      text.append("; touched: above ")
          .append(Unit.MILLISECONDS.format(result.healthyP999Micros() / 1e3));
    }
    text.append(result.isValid() ? ")\n" : ") NOT VALID: every block broke a rule\n");
    text.append(table(result, comparison).toText());
    if (result.arms().size() > 1) {
      text.append(ratios(result, comparison).toText());
    }
  }

  private static Table table(ConditionResult result, Comparison comparison) {
    Condition condition = result.condition();
    boolean disturbed = condition.isDisturbed();
    List<String> columns =
        new ArrayList<>(List.of("arm", "requests/s", "p50", "p95", "p99", "p99.9", "node CPU"));
    if (disturbed) {
      columns.addAll(List.of("coordinated by it", "read by it", "touched", "stuck >100 ms"));
    }
    columns.add("errors");
    Table table = new Table(1, columns.toArray(new String[0]));
    for (String arm : result.arms()) {
      List<String> cells = new ArrayList<>(List.of(arm));
      Histogram pooled = result.pooled(arm);
      cells.add(Unit.COUNT.format(comparison.requestsPerSecond(arm)));
      for (double percentile : new double[] {50, 95, 99, 99.9}) {
        cells.add(Unit.MILLISECONDS.format(pooled.getValueAtPercentile(percentile) / 1e3));
      }
      cells.add(Unit.MILLISECONDS.format(comparison.nodeCpuMillis(arm)));
      if (disturbed) {
        cells.add(Unit.SHARE.format(Shares.ofDisturbed(result.runs(arm))));
        cells.add(Unit.SHARE.format(ReadShares.ofDisturbed(result.runs(arm))));
        cells.add(
            Unit.SHARE.format(
                comparison.shareSlowerThan(result.healthyP999Micros(), arm).estimate()));
        cells.add(String.valueOf(comparison.slowerThan(CampaignReport.STUCK_MILLIS * 1_000, arm)));
      }
      cells.add(String.valueOf(comparison.errors(arm)));
      table.row(cells);
    }
    return table;
  }

  /** Each arm divided by the reference. */
  private static Table ratios(ConditionResult result, Comparison comparison) {
    boolean disturbed = result.condition().isDisturbed();
    List<Metric> metrics =
        List.of(Metric.P50, Metric.P99, Metric.P999, Metric.THROUGHPUT, Metric.NODE_CPU);
    List<String> columns = new ArrayList<>(List.of("/ " + result.reference()));
    metrics.forEach(metric -> columns.add(metric.label()));
    if (disturbed) {
      columns.add("touched");
    }
    Table table = new Table(1, columns.toArray(new String[0]));
    for (String arm : result.arms().subList(1, result.arms().size())) {
      List<String> cells = new ArrayList<>(List.of(arm));
      metrics.forEach(metric -> cells.add(describe(comparison.ratio(metric, arm))));
      if (disturbed) {
        long threshold = result.healthyP999Micros();
        cells.add(describe(comparison.ratioOfSharesSlowerThan(threshold, arm)));
      }
      table.row(cells);
    }
    return table;
  }

  /** Such as "×0.53 (0.51–0.55)". */
  static String describe(Interval ratio) {
    String estimate = Unit.RATIO.format(ratio.estimate());
    return Double.isNaN(ratio.low())
        ? estimate
        : estimate
            + " ("
            + Unit.PLAIN.format(ratio.low())
            + "–"
            + Unit.PLAIN.format(ratio.high())
            + ")";
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
