/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Interval;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.report.Columns;
import io.curtail.report.Table;
import io.curtail.report.Unit;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether anything got worse under an arm than under the reference: latency by over a tenth,
 * answers by over a twentieth, where the interval of the ratio does not reach 1; errors by one in a
 * thousand requests; more second copies than 2 %.
 */
record Harm(
    String condition,
    String arm,
    String reference,
    Interval p50,
    Interval p99,
    Interval answers,
    double errors,
    double referenceErrors,
    double copies,
    List<String> worse) {
  private static final double SLOWER = 1.1;
  private static final double FEWER = 0.95;
  private static final double MORE_ERRORS = 0.001;

  /** What copies may cost the nodes. */
  private static final double MOST_COPIES = 0.02;

  static Harm of(ConditionResult result, Comparison comparison, String arm) {
    Interval p50 = comparison.ratio(Metric.P50, arm);
    Interval p99 = comparison.ratio(Metric.P99, arm);
    Interval answers = comparison.ratioOfAnswers(arm);
    double errors = comparison.errorShare(arm);
    double referenceErrors = comparison.errorShare(result.reference());
    double copies = comparison.copies(arm);
    List<String> worse = new ArrayList<>();
    if (isSlower(p50)) {
      worse.add("p50");
    }
    if (isSlower(p99)) {
      worse.add("p99");
    }
    if (answers.estimate() < FEWER && !(answers.high() > 1)) {
      worse.add("answers");
    }
    if (errors > referenceErrors + MORE_ERRORS) {
      worse.add("errors");
    }
    if (copies > MOST_COPIES) {
      worse.add("copies");
    }
    return new Harm(
        result.condition().label(),
        arm,
        result.reference(),
        p50,
        p99,
        answers,
        errors,
        referenceErrors,
        copies,
        List.copyOf(worse));
  }

  /** An interval of one block has no ends, and does not speak against its estimate. */
  private static boolean isSlower(Interval ratio) {
    return ratio.estimate() > SLOWER && !(ratio.low() < 1);
  }

  String words() {
    return worse.isEmpty() ? "nothing" : String.join(", ", worse);
  }

  /** A row for each condition and arm. */
  static Table table(List<Harm> harms) {
    return new Columns<Harm>()
        .add("trouble", harm -> harm.condition().split("[:,]", 2)[0])
        .add("arm", Harm::arm)
        .add("worse", Harm::words)
        .add("p50", harm -> harm.p50().toRatio())
        .add("p99", harm -> harm.p99().toRatio())
        .add("answers in time", harm -> harm.answers().toRatio())
        .add(
            "errors, for the reference's",
            harm ->
                Unit.SHARE.format(harm.errors())
                    + " for "
                    + Unit.SHARE.format(harm.referenceErrors()))
        .add("copies", harm -> Unit.SHARE.format(harm.copies()))
        .table(3, harms);
  }
}
