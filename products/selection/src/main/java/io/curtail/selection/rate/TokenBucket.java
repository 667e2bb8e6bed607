/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tokens that come at a rate and are kept up to a capacity. It starts full. Thread-safe, lock-free.
 *
 * <p>The state is one number, the time at which the bucket was, or will be, empty:
 *
 * <pre>tokens(now) = min(capacity, (now - emptyAt) * rate)</pre>
 *
 * This is the generic cell rate algorithm (ITU-T I.371) seen from the other side. Taking a token
 * moves {@code emptyAt} by one interval, so no interleaving issues more than {@code capacity + rate
 * * time}. A change of rate keeps the tokens; a token taken while the rate changes may be counted
 * at either rate.
 */
public final class TokenBucket {
  private final double capacity;
  private final AtomicLong emptyAtNanos;
  private volatile double intervalNanos;

  /**
   * @param capacity in tokens, at least 1
   * @param tokensPerSecond above 0
   */
  public TokenBucket(double capacity, double tokensPerSecond, long nowNanos) {
    if (!(capacity >= 1)) {
      throw new IllegalArgumentException("a bucket must hold at least one token, not " + capacity);
    }
    this.capacity = capacity;
    this.intervalNanos = interval(tokensPerSecond);
    this.emptyAtNanos = new AtomicLong(nowNanos - fullAfter(intervalNanos));
  }

  private static double interval(double tokensPerSecond) {
    if (!(tokensPerSecond > 0)) {
      throw new IllegalArgumentException("a rate must be above 0, not " + tokensPerSecond);
    }
    return 1e9 / tokensPerSecond;
  }

  // Rounded down, so that rounding never makes a token.
  private long fullAfter(double interval) {
    return (long) (capacity * interval);
  }

  /** Takes a token and returns 0, or returns the nanoseconds until there will be one. */
  public long tryAcquire(long nowNanos) {
    double interval = intervalNanos;
    long step = (long) Math.ceil(interval);
    while (true) {
      long emptyAt = emptyAtNanos.get();
      long next = Math.max(emptyAt, nowNanos - fullAfter(interval)) + step;
      if (next > nowNanos) {
        return next - nowNanos;
      }
      if (emptyAtNanos.compareAndSet(emptyAt, next)) {
        return 0;
      }
    }
  }

  /** Takes a token even if there is none; the debt goes no deeper than the capacity. */
  public void acquire(long nowNanos) {
    double interval = intervalNanos;
    long step = (long) Math.ceil(interval);
    long full = fullAfter(interval);
    emptyAtNanos.updateAndGet(
        emptyAt -> Math.min(Math.max(emptyAt, nowNanos - full) + step, nowNanos + full));
  }

  /** Returns the tokens there are; negative for a debt. */
  public double tokens(long nowNanos) {
    return Math.min(capacity, (nowNanos - emptyAtNanos.get()) / intervalNanos);
  }

  /**
   * Changes the rate and keeps the tokens. One caller at a time.
   *
   * @param tokensPerSecond above 0
   */
  public void setRate(double tokensPerSecond, long nowNanos) {
    double before = intervalNanos;
    double after = interval(tokensPerSecond);
    if (before == after) {
      return;
    }
    emptyAtNanos.updateAndGet(
        emptyAt -> {
          double tokens = Math.min(capacity, (nowNanos - emptyAt) / before);
          return nowNanos - (long) Math.floor(tokens * after);
        });
    intervalNanos = after;
  }
}
