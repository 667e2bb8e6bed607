/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far a run measured the cluster rather than the machine.
 *
 * @param latenessP99Millis how late the generator sent
 * @param delayErrorMedianMillis measured minus wanted zone latency
 * @param delayLateShare the share of answers that were held half a millisecond too long
 * @param foreignCpuShare of the machine's processors, taken by others than the lab
 */
public record RunQuality(
    double latenessP99Millis,
    double delayErrorMedianMillis,
    double delayLateShare,
    double foreignCpuShare) {
  /** Unless a user whose machine is never quiet allows more. */
  public static final double MOST_FOREIGN_CPU_SHARE = 0.1;

  /**
   * The most of each in a run that counts, which is fixed before the first one.
   *
   * @param slowMotion how many times as long as real ones delays are
   */
  public static RunQuality limits(int slowMotion, double foreignCpuShare) {
    return new RunQuality(slowMotion, 0.1 * slowMotion, 0.01, foreignCpuShare);
  }

  /** Why the run is discarded, in words; empty if it counts. */
  public List<String> violations(RunQuality limits) {
    List<String> violations = new ArrayList<>();
    check(violations, "generator late at p99 (ms)", latenessP99Millis, limits.latenessP99Millis);
    check(
        violations,
        "zone latency off at the median (ms)",
        Math.abs(delayErrorMedianMillis),
        limits.delayErrorMedianMillis);
    check(violations, "share of answers held too long", delayLateShare, limits.delayLateShare);
    check(
        violations,
        "share of the processors taken by other programs",
        foreignCpuShare,
        limits.foreignCpuShare);
    return violations;
  }

  private static void check(List<String> violations, String what, double value, double limit) {
    if (value > limit) {
      violations.add(String.format(Locale.ROOT, "%s: %.3f, limit %.3f", what, value, limit));
    }
  }
}
