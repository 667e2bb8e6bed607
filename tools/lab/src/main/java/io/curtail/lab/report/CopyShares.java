/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.lab.disturbance.Disturbance.Span;
import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.load.CopyTotals;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What became of the second copies of an arm's requests, as shares of the requests; why those that
 * were not sent were not, is {@link CopyTotals}' to say.
 *
 * @param delayMillis after which one was due, the mean over nodes and seconds; null if it is not
 *     known
 */
record CopyShares(
    double asked,
    double sent,
    double won,
    double refusedByBudget,
    double refusedCongested,
    double refusedNoRoom,
    double refusedTooEarly,
    Double delayMillis) {

  /** Of whole runs; null if there were none. */
  static CopyShares of(List<ArmRun> runs) {
    return of(runs, new Span(0, Double.MAX_VALUE));
  }

  /** Of a part of each run; null if there were none. */
  static CopyShares of(List<ArmRun> runs, Span span) {
    double from = span.fromSeconds();
    double to = span.toSeconds();
    CopyTotals counts =
        runs.stream()
            .map(run -> run.result().copies(from, to))
            .reduce(CopyTotals.NONE, CopyTotals::plus);
    double requests =
        runs.stream().mapToLong(run -> run.result().within(from, to).getTotalCount()).sum();
    double delay =
        runs.stream()
            .mapToDouble(run -> run.result().copyDelayMillis(from, to))
            .average()
            .orElse(Double.NaN);
    if (counts.asked() == 0 || requests == 0) {
      return null;
    }
    return new CopyShares(
        counts.asked() / requests,
        counts.sent() / requests,
        counts.won() / requests,
        counts.refusedByBudget() / requests,
        counts.refusedCongested() / requests,
        counts.refusedNoRoom() / requests,
        counts.refusedTooEarly() / requests,
        Double.isNaN(delay) ? null : delay);
  }

  /** A row an arm that has some; null if none has. */
  static Table table(ConditionResult result) {
    List<String> arms = result.arms().stream().filter(arm -> of(result.runs(arm)) != null).toList();
    Columns<String> columns = new Columns<String>().add("second copies of the requests", a -> a);
    add(columns, result, "due", CopyShares::asked);
    add(columns, result, "sent", CopyShares::sent);
    add(columns, result, "won", CopyShares::won);
    add(columns, result, "no budget", CopyShares::refusedByBudget);
    add(columns, result, "congested", CopyShares::refusedCongested);
    add(columns, result, "no node well", CopyShares::refusedNoRoom);
    add(columns, result, "too early", CopyShares::refusedTooEarly);
    columns.add("due after", arm -> delay(of(result.runs(arm))));
    return arms.isEmpty() ? null : columns.table(1, arms);
  }

  private static void add(
      Columns<String> columns,
      ConditionResult result,
      String heading,
      ToDoubleFunction<CopyShares> share) {
    columns.add(heading, arm -> Unit.SHARE.format(share.applyAsDouble(of(result.runs(arm)))));
  }

  private static String delay(CopyShares copies) {
    return copies.delayMillis == null ? "–" : Unit.MILLISECONDS.format(copies.delayMillis);
  }
}
