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

  /**
   * Limits that are fixed before the first run.
   *
   * @param foreignCpuShare may be raised by a user whose machine is never quiet
   */
  public record Rules(
      double latenessP99Millis,
      double delayErrorMedianMillis,
      double delayLateShare,
      double foreignCpuShare) {
    public static final Rules DEFAULT = new Rules(1, 0.1, 0.01, 0.1);

    Rules withForeignCpuShare(double share) {
      return new Rules(latenessP99Millis, delayErrorMedianMillis, delayLateShare, share);
    }

    /** What is allowed beside delays that are so many times as long as real ones. */
    Rules inSlowMotion(int factor) {
      return new Rules(
          factor * latenessP99Millis,
          factor * delayErrorMedianMillis,
          delayLateShare,
          foreignCpuShare);
    }
  }

  /** Why the run is discarded, in words; empty if it counts. */
  public List<String> violations(Rules rules) {
    List<String> violations = new ArrayList<>();
    check(violations, "generator late at p99 (ms)", latenessP99Millis, rules.latenessP99Millis());
    check(
        violations,
        "zone latency off at the median (ms)",
        Math.abs(delayErrorMedianMillis),
        rules.delayErrorMedianMillis());
    check(violations, "share of answers held too long", delayLateShare, rules.delayLateShare());
    check(
        violations,
        "share of the processors taken by other programs",
        foreignCpuShare,
        rules.foreignCpuShare());
    return violations;
  }

  private static void check(List<String> violations, String what, double value, double limit) {
    if (value > limit) {
      violations.add(String.format(Locale.ROOT, "%s: %.3f, limit %.3f", what, value, limit));
    }
  }
}
