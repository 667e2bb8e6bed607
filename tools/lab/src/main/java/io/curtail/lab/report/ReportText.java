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

  ReportText(List<ConditionResult> results, long seed) {
    for (ConditionResult result : results) {
      add(result, new Comparison(result, results, seed));
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
    text.append(ArmTable.of(result, comparison, false).toText());
    if (result.arms().size() > 1) {
      text.append(ArmTable.ratios(result, comparison).toText());
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
