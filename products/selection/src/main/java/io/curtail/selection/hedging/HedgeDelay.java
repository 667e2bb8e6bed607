/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.util.concurrent.atomic.AtomicLong;

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
  private static final double GAIN = 0.05;
  private static final double AGAIN = 0.2;
  private static final double LEAST_NANOS = 1_000;
  private static final double MOST_NANOS = 1e12;

  private final double share;
  private final AtomicLong delayBits;

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
    this.delayBits = new AtomicLong(Double.doubleToRawLongBits((double) initialNanos));
  }

  static void checkShare(double share) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException(
          "the share of second copies must be in (0, 1), not " + share);
    }
  }

  /** Returns the delay now. */
  public long nanos() {
    return (long) Double.longBitsToDouble(delayBits.get());
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
    long before = delayBits.get();
    double factor = slow ? 1 + GAIN * (1 - share) : 1 - GAIN * share;
    double next = Double.longBitsToDouble(before) * factor;
    double bounded = Math.max(LEAST_NANOS, Math.min(MOST_NANOS, next));
    delayBits.compareAndSet(before, Double.doubleToRawLongBits(bounded));
  }
}
