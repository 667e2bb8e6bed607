/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.report.Unit;
import java.util.List;

/** The results as tables for a terminal. */
final class ReportText {
  private final StringBuilder text = new StringBuilder();
  private final CampaignReport report;

  ReportText(CampaignReport report) {
    this.report = report;
    report.results().forEach(result -> add(result, report.comparison(result)));
    List<Harm> harms =
        report.results().stream()
            .filter(report::asksForHarm)
            .flatMap(result -> report.harm(result).stream())
            .toList();
    if (!harms.isEmpty()) {
      text.append("\nWhat got worse than with the first arm\n");
      text.append(Harm.table(harms).toText());
    }
  }

  private void add(ConditionResult result, Comparison comparison) {
    Condition condition = result.condition();
    text.append('\n').append(condition.title());
    text.append(" (").append(runs(result.blocks().size())).append(" of each");
    if (result.discardedRuns() > 0) {
      text.append(", ").append(runs(result.discardedRuns())).append(" discarded");
    }
    if (condition.isDisturbed() && condition.rising().isEmpty()) {
      text.append("; touched: above ")
          .append(Unit.MILLISECONDS.format(result.healthyP999Micros() / 1e3));
    }
    text.append(result.isValid() ? ")\n" : ") NOT VALID: every block broke a rule\n");
    if (condition.rising().isPresent()) {
      report.lossByDelay(result).tables().forEach(table -> text.append(table.toText()));
      return;
    }
    text.append(ArmTable.of(result, comparison, false).toText());
    if (result.arms().size() > 1) {
      text.append(ArmTable.ratios(result, comparison).toText());
    }
  }

  private static String runs(int count) {
    return count == 1 ? "1 run" : count + " runs";
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
