/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the servers have no room for second copies: whether more than a set share of the recent
 * answers came from a server where reads waited. A work budget alone is too generous there, because
 * what it allows on average is, without room, paid by the reads that wait.
 *
 * <p>The share is an average over answers, each with weight 1/64. One instance a client.
 * Thread-safe, lock-free; two answers that come at once may count as one.
 */
public final class Congestion {
  private static final double WEIGHT = 1.0 / 64;

  /** A share below this is none. */
  private static final double LEAST = 1e-9;

  private final double limit;
  private final AtomicLong shareBits = new AtomicLong();

  /**
   * @param limit the share of answers from servers with a queue, above which there is no room, in
   *     (0, 1]
   */
  public Congestion(double limit) {
    if (!(limit > 0 && limit <= 1)) {
      throw new IllegalArgumentException(
          "the limit of busy answers must be in (0, 1], not " + limit);
    }
    this.limit = limit;
  }

  /**
   * A server answered.
   *
   * @param waiting reads in its queue then
   */
  public void onAnswer(int waiting) {
    onAnswer(waiting > 0);
  }

  /**
   * A server answered.
   *
   * @param busy whether it has no room for more, by what is known of it
   */
  public void onAnswer(boolean busy) {
    long before = shareBits.get();
    double share = Double.longBitsToDouble(before);
    double next = share + ((busy ? 1 : 0) - share) * WEIGHT;
    if (next < LEAST) {
      next = 0;
    }
    // All answers write here, which is slow if it changes nothing: mostly none is busy.
    if (next != share) {
      shareBits.compareAndSet(before, Double.doubleToRawLongBits(next));
    }
  }

  /** Returns whether second copies should not be sent. */
  public boolean isHigh() {
    return Double.longBitsToDouble(shareBits.get()) > limit;
  }
}
