/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.demo;

import io.curtail.lab.experiment.ArmRun;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.report.Unit;
import java.time.Duration;
import java.util.List;

/**
 * Tells from the results what was seen. What counts as seen is far from what a busy machine does by
 * itself: a half, or twice as much.
 */
final class Judgement {
  private static final double CLEARLY_LESS = 0.6;
  private static final double CLEARLY_MORE = 1 / CLEARLY_LESS;

  /** Of the requests that waited as long while all was well. */
  private static final double TOO_BUSY_SHARE = 0.05;

  private final ConditionResult result;
  private final String stock;
  private final String curtail;

  Judgement(ConditionResult result) {
    this.result = result;
    stock = result.arms().get(0);
    curtail = result.arms().get(1);
  }

  /** What nine of ten requests took at most, in milliseconds as they were measured. */
  Scene nineOfTen(String act, String less) {
    double without = p90Millis(stock);
    double with = p90Millis(curtail);
    return new Scene(
        act,
        "nine of ten within",
        Unit.MILLISECONDS.format(without),
        Unit.MILLISECONDS.format(with),
        words(with, without, less));
  }

  private double p90Millis(String arm) {
    return result.pooled(arm).getValueAtPercentile(90) / 1e3;
  }

  /** The share of the requests that took longer than a limit that only the fault explains. */
  Scene slower(Duration limit, String act, String less) {
    double without = shareSlower(result.runs(stock), limit);
    double with = shareSlower(result.runs(curtail), limit);
    return new Scene(
        act,
        "requests over " + Unit.MILLISECONDS.format(limit.toNanos() / 1e6),
        Unit.SHARE.format(without),
        Unit.SHARE.format(with),
        shareSlower(healthyRuns(), limit) > TOO_BUSY_SHARE
            ? "the machine is too busy to tell"
            : words(with, without, less));
  }

  private List<ArmRun> healthyRuns() {
    return result.runs().stream().filter(run -> !run.disturbed()).toList();
  }

  private static double shareSlower(List<ArmRun> runs, Duration limit) {
    long slower =
        runs.stream().mapToLong(run -> run.result().slowerThan(limit.toNanos() / 1_000)).sum();
    long all = runs.stream().mapToLong(run -> run.result().requests()).sum();
    return (double) slower / Math.max(1, all);
  }

  static String words(double with, double without, String less) {
    if (with < CLEARLY_LESS * without) {
      return less;
    }
    return with > CLEARLY_MORE * without ? "worse than stock" : "as stock";
  }
}
