/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicInteger;

/** Lets as many requests be in flight as {@link #limit} says then. Thread-safe, lock-free. */
abstract class InFlightControl implements RateControl {
  private final AtomicInteger inFlight = new AtomicInteger();

  @Override
  public final long tryAcquire(long nowNanos) {
    if (inFlight.incrementAndGet() <= limit()) {
      return 0;
    }
    inFlight.decrementAndGet();
    return UNTIL_A_RESPONSE;
  }

  @Override
  public final void acquire(long nowNanos) {
    inFlight.incrementAndGet();
  }

  /** A request ended; returns how many were in flight with it. */
  final int release() {
    return inFlight.getAndDecrement();
  }

  @Override
  public void onResponse(long elapsedNanos, long nowNanos) {
    release();
  }

  @Override
  public void onFailure(long nowNanos) {
    release();
  }

  @Override
  public final void onAbandoned() {
    release();
  }
}
