/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A limit on requests in flight that follows the gradient of the response time:
 *
 * <pre>
 *   gradient = clamp(tolerance * longTerm / shortTerm, 0.5, 1)
 *   limit    = limit * gradient + sqrt(limit)            never under 2
 * </pre>
 *
 * longTerm and shortTerm are averages of the response time over 600 and 10 responses. The limit
 * grows only while at least half of it is used.
 *
 * <p>Source: Netflix concurrency-limits, {@code Gradient2Limit}.
 */
public final class GradientLimit extends InFlightControl {
  private static final double MIN_LIMIT = 2;
  private static final double MAX_LIMIT = 1_000;
  private static final double TOLERANCE = 1.5;
  private static final double SMOOTHING = 0.2;
  private static final double LONG_WEIGHT = 2.0 / 601;
  private static final double SHORT_WEIGHT = 2.0 / 11;

  private final AtomicBoolean adapting = new AtomicBoolean();
  private volatile double limit;
  private double shortTermNanos;
  private double longTermNanos;

  /**
   * @param initialLimit at least 2
   */
  public GradientLimit(double initialLimit) {
    if (!(initialLimit >= MIN_LIMIT && initialLimit <= MAX_LIMIT)) {
      throw new IllegalArgumentException(
          "the first limit must be from 2 to 1000, not " + initialLimit);
    }
    this.limit = initialLimit;
  }

  @Override
  public void onResponse(long elapsedNanos, long nowNanos) {
    int used = release();
    if (!adapting.compareAndSet(false, true)) {
      return;
    }
    if (longTermNanos == 0) {
      longTermNanos = elapsedNanos;
      shortTermNanos = elapsedNanos;
    }
    shortTermNanos += SHORT_WEIGHT * (elapsedNanos - shortTermNanos);
    longTermNanos += LONG_WEIGHT * (elapsedNanos - longTermNanos);
    double gradient =
        Math.max(0.5, Math.min(1, TOLERANCE * longTermNanos / Math.max(1, shortTermNanos)));
    double target = limit * gradient + (2 * used >= limit ? Math.sqrt(limit) : 0);
    change(limit + SMOOTHING * (target - limit));
    adapting.set(false);
  }

  private void change(double wanted) {
    limit = Math.max(MIN_LIMIT, Math.min(MAX_LIMIT, wanted));
  }

  @Override
  public void onFailure(long nowNanos) {
    release();
    if (adapting.compareAndSet(false, true)) {
      change(limit / 2);
      adapting.set(false);
    }
  }

  @Override
  public double limit() {
    return limit;
  }
}
