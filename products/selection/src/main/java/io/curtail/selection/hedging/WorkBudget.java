/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What second copies may cost the servers: a set share of the work that reads make anyway. Counting
 * copies is not enough: the slowest reads may be the largest, and their copies cost most.
 *
 * <p>Each read's first answer earns its share of the service time; when a read has a second answer,
 * the second copy's service time is spent. A second copy that rescued a read from a silent server
 * is free. While the balance is negative there are no second copies; without a limit in reads it is
 * never below minus one second, because a server that stood still with some took long, but did not
 * work for so long.
 *
 * <p>Work is in nanoseconds of service, or, for who does not know these, in any other unit, as
 * {@link Hedging} counts answers.
 *
 * <p>One instance a client. Thread-safe, lock-free.
 */
public final class WorkBudget {
  private static final long MOST_SAVED_NANOS = 1_000_000_000L;
  private static final long MOST_OWED_NANOS = 1_000_000_000L;

  private final double share;
  private final double mostSavedReads;
  private final AtomicLong balanceNanos = new AtomicLong();

  /**
   * @param share of the servers' work that second copies may add, in (0, 1]
   */
  public WorkBudget(double share) {
    this(share, Double.POSITIVE_INFINITY);
  }

  /**
   * @param share of the servers' work that second copies may add, in (0, 1]
   * @param mostSavedReads what may be saved for a burst, in usual reads; above 0
   */
  public WorkBudget(double share, double mostSavedReads) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("the share of extra work must be in (0, 1], not " + share);
    }
    if (!(mostSavedReads > 0)) {
      throw new IllegalArgumentException(
          "the reads to save must be above 0, not " + mostSavedReads);
    }
    this.share = share;
    this.mostSavedReads = mostSavedReads;
  }

  /** Returns whether a second copy may be sent. */
  public boolean allows() {
    return balanceNanos.get() >= 0;
  }

  /**
   * Returns how much of a burst is saved, from 0 to 1.
   *
   * @param usualNanos the service time that a read usually has, above 0
   */
  double saved(double usualNanos) {
    return Math.max(0, Math.min(1, balanceNanos.get() / mostNanos(usualNanos)));
  }

  /** A read was answered for the first time. */
  public void onWork(long serviceTimeNanos) {
    onWork(serviceTimeNanos, (double) serviceTimeNanos);
  }

  /**
   * A read was answered for the first time.
   *
   * @param usualNanos the service time that a read usually has
   */
  void onWork(long serviceTimeNanos, double usualNanos) {
    long earned = (long) (share * serviceTimeNanos);
    double most = mostNanos(usualNanos);
    // Mostly it is full. All answers would write here, to add and to take back.
    if (balanceNanos.get() + earned > most) {
      return;
    }
    if (balanceNanos.addAndGet(earned) > most) {
      balanceNanos.addAndGet(-earned);
    }
  }

  private double mostNanos(double usualNanos) {
    return mostSavedReads == Double.POSITIVE_INFINITY
        ? MOST_SAVED_NANOS
        : mostSavedReads * usualNanos;
  }

  /** A read was answered a second time: one of the two served it in vain. */
  public void onExtraWork(long serviceTimeNanos) {
    long balance = balanceNanos.addAndGet(-serviceTimeNanos);
    if (balance < -MOST_OWED_NANOS && mostSavedReads == Double.POSITIVE_INFINITY) {
      balanceNanos.compareAndSet(balance, -MOST_OWED_NANOS);
    }
  }
}
