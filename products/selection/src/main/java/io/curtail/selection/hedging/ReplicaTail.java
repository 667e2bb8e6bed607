/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What one client knows of the slowest answers of one replica, and what second copies cost it.
 *
 * <p>Two response times are kept: a recent one, averaged over {@value #RECENT_MILLIS} ms, and the
 * usual one, which follows it down within seconds and up within minutes. A replica is slow while
 * the recent one is more than {@value #SLOW} times the usual one.
 *
 * <p>Thread-safe without locks. A sample that meets another thread in the middle of recording is
 * left out of the averages.
 */
public final class ReplicaTail {
  static final double SLOW = 3;

  private static final long RECENT_MILLIS = 200;
  private static final double RECENT_NANOS = RECENT_MILLIS * 1e6;
  private static final double FALL_NANOS = 5e9;
  private static final double RISE_NANOS = 300e9;
  private static final long FIRST_DELAY_RESPONSE_TIMES = 4;

  /** What is expected of others moves until the next copy is due. */
  private static final double LATER = 1.25;

  /** A node's share of the work that copies make is larger: they go where it is quick. */
  private static final double NODE_SHARE_TIMES = 5;

  private static final long NODE_BURST = 50;

  private final double share;
  private final AtomicBoolean recording = new AtomicBoolean();
  private final WorkBudget budget;
  private volatile HedgeDelay delay;
  private volatile double recentNanos;
  private volatile double usualNanos;
  private volatile double othersNanos;
  private long answeredAtNanos;

  /**
   * @param share of the requests that may get a second copy, in (0, 0.2]
   */
  ReplicaTail(double share) {
    this.share = share;
    this.budget = new WorkBudget(NODE_SHARE_TIMES * share, NODE_BURST);
  }

  /** The replica answered; see {@link Hedging#answered}. */
  void answered(long elapsedNanos, boolean copied, long nowNanos) {
    record(elapsedNanos, nowNanos);
    HedgeDelay known = delay;
    if (known == null) {
      delay = new HedgeDelay(share, Math.max(1, FIRST_DELAY_RESPONSE_TIMES * elapsedNanos));
    } else if (!copied) {
      known.onRead(elapsedNanos > known.nanos());
    }
    budget.onWork(work(elapsedNanos));
  }

  private void record(long elapsedNanos, long nowNanos) {
    if (!recording.compareAndSet(false, true)) {
      return;
    }
    double sinceLast = Math.max(0, nowNanos - answeredAtNanos);
    boolean first = usualNanos == 0;
    double recent =
        first ? elapsedNanos : toward(recentNanos, (double) elapsedNanos, sinceLast, RECENT_NANOS);
    double memory = recent < usualNanos ? FALL_NANOS : RISE_NANOS;
    usualNanos = Math.max(1, first ? recent : toward(usualNanos, recent, sinceLast, memory));
    recentNanos = recent;
    answeredAtNanos = nowNanos;
    recording.set(false);
  }

  private static double toward(double before, double sample, double elapsed, double memory) {
    return before + (1 - Math.exp(-elapsed / memory)) * (sample - before);
  }

  /** What is owed to a replica for an answer: a slow one earns no more than a usual one. */
  long work(long elapsedNanos) {
    return Math.min(elapsedNanos, (long) usualNanos);
  }

  /** A request has waited for longer than the delay. */
  void overdue() {
    HedgeDelay known = delay;
    if (known != null) {
      known.onRead(true);
    }
  }

  /** A copy was due, and of the replicas that might get it the quickest needs so long. */
  void others(double expectedNanos) {
    othersNanos = LATER * expectedNanos;
  }

  /**
   * Returns after how long without an answer a request is copied; 0 if that is not known yet. Not
   * before another replica could have answered: a copy that is refused as too early is not tried
   * again.
   */
  public long delayNanos() {
    HedgeDelay known = delay;
    return known == null ? 0 : Math.max(known.nanos(), (long) othersNanos);
  }

  /** Returns the response time that the replica usually has; 0 before the first answer. */
  public double usualNanos() {
    return usualNanos;
  }

  /** Returns whether the replica lately needs many times what it usually does. */
  public boolean isSlow() {
    return recentNanos > SLOW * usualNanos;
  }

  WorkBudget budget() {
    return budget;
  }
}
