/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * After how long without an answer a read gets its second copy: so long that a set share of the
 * reads gets one.
 *
 * <pre>
 *   delay = delay * (1 + gain * (1 - share))     after a read that took longer than the delay
 *   delay = delay * (1 - gain * share)           after one that did not
 * </pre>
 *
 * The two balance where exactly that share of the reads is slower than the delay: it is the (1 -
 * share) quantile, followed as it moves. So the share is a budget as well: when everything slows
 * down the delay grows with it, by one gain for each slow read, and second copies stay as rare.
 *
 * <p>Hedged requests: Dean and Barroso, "The Tail at Scale", 2013. Following a quantile by steps:
 * Robbins and Monro, "A Stochastic Approximation Method", 1951; the steps here are in proportion,
 * so that they suit microseconds and seconds.
 *
 * <p>One instance a client, or a kind of its reads. Thread-safe, lock-free; two reads that end at
 * once may count as one.
 */
public final class HedgeDelay {
  /*
   * Each read writes the delay, and an atomic update would be most of what that costs. A thread that
   * stood still between reading and writing puts it back to where it was, from where it moves as it
   * did before. Reads of both kinds are lost alike, so the quantile stays the same.
   */
  private static final VarHandle DELAY;

  private static final double GAIN = 0.05;
  private static final double AGAIN = 0.2;
  private static final double LEAST_NANOS = 1_000;
  private static final double MOST_NANOS = 1e12;

  static {
    try {
      DELAY = MethodHandles.lookup().findVarHandle(HedgeDelay.class, "delayNanos", double.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final double share;

  @SuppressWarnings("UnusedVariable") // through DELAY
  private double delayNanos;

  /**
   * @param share of the reads that may get a second copy, in (0, 1)
   * @param initialNanos the first delay, above 0
   */
  public HedgeDelay(double share, long initialNanos) {
    checkShare(share);
    if (initialNanos <= 0) {
      throw new IllegalArgumentException("the first delay must be above 0 ns, not " + initialNanos);
    }
    this.share = share;
    this.delayNanos = (double) initialNanos;
  }

  static void checkShare(double share) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException(
          "the share of second copies must be in (0, 1), not " + share);
    }
  }

  /** Returns the delay now. */
  public long nanos() {
    return (long) (double) DELAY.getOpaque(this);
  }

  /** Returns the time from one second copy to the next, while there is no answer. */
  public long againNanos() {
    return (long) (AGAIN * nanos());
  }

  /**
   * A read ended.
   *
   * @param slow whether it took longer than its delay: its second copy was due
   */
  public void onRead(boolean slow) {
    double factor = slow ? 1 + GAIN * (1 - share) : 1 - GAIN * share;
    double next = (double) DELAY.getOpaque(this) * factor;
    DELAY.setOpaque(this, Math.max(LEAST_NANOS, Math.min(MOST_NANOS, next)));
  }
}
