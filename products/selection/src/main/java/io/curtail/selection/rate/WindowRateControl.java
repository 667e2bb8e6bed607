/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A rate of requests that is compared, on every response and failure, with the rate at which
 * responses came in the latest window. How it follows is the subclass's.
 */
abstract class WindowRateControl implements RateControl {
  final CubicSettings settings;
  private final TokenBucket bucket;
  private final ReceiveRate received;
  private final AtomicBoolean adapting = new AtomicBoolean();
  private volatile double rate;

  /**
   * @param settings window, first rate, bucket and floor are taken from it
   */
  WindowRateControl(CubicSettings settings, long nowNanos) {
    this.settings = settings;
    this.rate = settings.initialRate;
    this.bucket = new TokenBucket(settings.bucketSize, perSecond(rate), nowNanos);
    this.received = new ReceiveRate(settings.windowNanos, settings.newSampleWeight, 0, nowNanos);
  }

  /**
   * Called by one thread at a time.
   *
   * @param sending requests a window that may be sent now
   * @param receiving responses in a window, positive
   * @return requests a window from now on; the floor is seen to by the caller
   */
  abstract double next(double sending, double receiving, long nowNanos);

  private double perSecond(double perWindow) {
    return perWindow * 1e9 / settings.windowNanos;
  }

  @Override
  public final long tryAcquire(long nowNanos) {
    return bucket.tryAcquire(nowNanos);
  }

  @Override
  public final void acquire(long nowNanos) {
    bucket.acquire(nowNanos);
  }

  @Override
  public final void onResponse(long elapsedNanos, long nowNanos) {
    received.count();
    adapt(nowNanos);
  }

  @Override
  public final void onFailure(long nowNanos) {
    adapt(nowNanos);
  }

  @Override
  public final void onAbandoned() {}

  // A response that meets another thread here is counted, and adapts nothing.
  private void adapt(long nowNanos) {
    if (!adapting.compareAndSet(false, true)) {
      return;
    }
    double receiving = received.perWindow(nowNanos);
    if (receiving > 0) {
      rate = Math.max(settings.minRate, next(rate, receiving, nowNanos));
      bucket.setRate(perSecond(rate), nowNanos);
    }
    adapting.set(false);
  }

  @Override
  public final double limit() {
    return perSecond(rate);
  }
}
