/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

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
  }

  private static Table table(ConditionResult result, Comparison comparison) {
    Condition condition = result.condition();
    boolean disturbed = condition.isDisturbed();
    List<String> columns = new ArrayList<>(List.of("policy"));
    columns.addAll(
        condition.findsCeiling() ? List.of("requests/s") : List.of("p50", "p95", "p99", "p99.9"));
    if (disturbed) {
      columns.addAll(List.of("by that node", "touched", "stuck >100 ms"));
    }
    columns.add("errors");
    Metric metric = headline(condition);
    columns.add((disturbed ? "touched" : metric.label()) + " / reference");
    Table table = new Table(1, columns.toArray(new String[0]));
    for (String arm : result.arms()) {
      List<String> cells = new ArrayList<>(List.of(arm));
      Histogram pooled = result.pooled(arm);
      if (condition.findsCeiling()) {
        double mean =
            result.runs(arm).stream()
                .mapToDouble(run -> run.result().requestsPerSecond())
                .average()
                .orElse(0);
        cells.add(Unit.COUNT.format(mean));
      } else {
        for (double percentile : new double[] {50, 95, 99, 99.9}) {
          cells.add(Unit.MILLISECONDS.format(pooled.getValueAtPercentile(percentile) / 1e3));
        }
      }
      if (disturbed) {
        cells.add(Unit.SHARE.format(Shares.ofDisturbedNode(result.runs(arm))));
        cells.add(
            Unit.SHARE.format(
                comparison.shareSlowerThan(result.healthyP999Micros(), arm).estimate()));
        cells.add(String.valueOf(comparison.slowerThan(CampaignReport.STUCK_MILLIS * 1_000, arm)));
      }
      cells.add(String.valueOf(comparison.errors(arm)));
      cells.add(arm.equals(result.reference()) ? "" : against(result, comparison, arm, metric));
      table.row(cells);
    }
    return table;
  }

  /** The metric that a condition is about. */
  static Metric headline(Condition condition) {
    return condition.findsCeiling() ? Metric.THROUGHPUT : Metric.P50;
  }

  private static String against(
      ConditionResult result, Comparison comparison, String arm, Metric metric) {
    return describe(
        result.condition().isDisturbed()
            ? comparison.ratioOfSharesSlowerThan(result.healthyP999Micros(), arm)
            : comparison.ratio(metric, arm));
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
