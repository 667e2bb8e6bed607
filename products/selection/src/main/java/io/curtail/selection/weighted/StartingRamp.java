/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.weighted;

/**
 * The time in which a node that has just come up, with cold caches and cold code, is given less
 * than its share: the chance to count as starting falls from 1 to 0 over the interval.
 *
 * <p>The interval is the configured one plus up to half of it at random, drawn for each node each
 * time it comes up, so that many clients do not return to it at the same moment. Safe for
 * concurrent use.
 */
public final class StartingRamp {
  /** The ramp of a node that was up before this client was. */
  public static final StartingRamp NONE = new StartingRamp(0, 0, 0);

  private final long startNanos;
  private final long lengthNanos;
  private volatile boolean over;

  /**
   * @param startNanos when the node came up, a {@link System#nanoTime()} value
   * @param intervalNanos at least 0; 0 is no ramp
   * @param jitter from 0 to 1
   */
  public StartingRamp(long startNanos, long intervalNanos, double jitter) {
    this.startNanos = startNanos;
    this.lengthNanos = (long) (intervalNanos * (1 + jitter / 2));
    this.over = lengthNanos == 0;
  }

  public boolean isOver() {
    return over;
  }

  /** The chance to count as starting now: 1 at the start, 0 from the end on. */
  public float chanceAt(long now) {
    long left = lengthNanos - (now - startNanos);
    if (left <= 0) {
      over = true;
      return 0;
    }
    return Math.min(1f, (float) left / lengthNanos);
  }
}
