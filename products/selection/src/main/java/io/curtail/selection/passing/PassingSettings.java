/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.passing;

/**
 * When a read is passed on, at least: where services take long, {@link PassingRule} asks for more.
 * Immutable.
 */
public final class PassingSettings {
  /** What measured best in the C3 paper's sweep with a network of 0.25 ms one way. */
  public static final PassingSettings DEFAULTS =
      new PassingSettings(500_000, 500_000, 2_000_000, 10);

  private static final int HORIZON_HOPS = 4;

  final long leastWaitNanos;
  final long marginNanos;
  final long horizonNanos;
  final double overloadServices;

  /**
   * @param leastWaitNanos a shorter wait is not worth a hop; at least 0
   * @param marginNanos how much better another replica must be; about a round trip, at least 0
   * @param horizonNanos how long a report about another replica is believed; at least 0
   * @param overloadServices from this wait on, in service times, unknown replicas are not tried
   */
  public PassingSettings(
      long leastWaitNanos, long marginNanos, long horizonNanos, double overloadServices) {
    boolean negative = leastWaitNanos < 0 || marginNanos < 0 || horizonNanos < 0;
    if (negative || !(overloadServices >= 0)) {
      throw new IllegalArgumentException("a setting of passing on is out of range");
    }
    this.leastWaitNanos = leastWaitNanos;
    this.marginNanos = marginNanos;
    this.horizonNanos = horizonNanos;
    this.overloadServices = overloadServices;
  }

  /**
   * Returns the settings for a network where a hop costs so much, in the proportions of {@link
   * #DEFAULTS}.
   *
   * @param hopNanos at least 0
   */
  public static PassingSettings forHop(long hopNanos) {
    return new PassingSettings(
        hopNanos, hopNanos, HORIZON_HOPS * hopNanos, DEFAULTS.overloadServices);
  }
}
