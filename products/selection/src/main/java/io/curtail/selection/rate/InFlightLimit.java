/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicInteger;

/** At most so many requests in flight; the server's answers set the pace. */
public final class InFlightLimit implements RateControl {
  private final int limit;
  private final AtomicInteger inFlight = new AtomicInteger();

  /**
   * @param limit at least 1
   */
  public InFlightLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a limit in flight must be at least 1, not " + limit);
    }
    this.limit = limit;
  }

  @Override
  public long tryAcquire(long nowNanos) {
    if (inFlight.incrementAndGet() <= limit) {
      return 0;
    }
    inFlight.decrementAndGet();
    return UNTIL_A_RESPONSE;
  }

  @Override
  public void acquire(long nowNanos) {
    inFlight.incrementAndGet();
  }

  @Override
  public void onResponse(long elapsedNanos, long nowNanos) {
    inFlight.decrementAndGet();
  }

  @Override
  public void onFailure(long nowNanos) {
    inFlight.decrementAndGet();
  }

  @Override
  public void onAbandoned() {
    inFlight.decrementAndGet();
  }

  @Override
  public double limit() {
    return limit;
  }
}
