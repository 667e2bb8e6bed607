/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Additive increase, multiplicative decrease on C3's signal: while responses come as fast as
 * requests may go, the rate grows by a step per window; when they come slower it is halved, at most
 * once per two windows.
 *
 * <p>Reference: Chiu and Jain, "Analysis of the Increase and Decrease Algorithms for Congestion
 * Avoidance in Computer Networks", 1989.
 */
public final class AimdRateControl implements RateControl {
  private static final double STEP_PER_WINDOW = 1;
  private static final double DECREASE = 0.5;
  private static final double TOLERANCE = 1.2;

  private final CubicSettings settings;
  private final TokenBucket bucket;
  private final ReceiveRate received;
  private final AtomicBoolean adapting = new AtomicBoolean();
  private volatile double rate;
  private long changedAtNanos;

  /**
   * @param settings window, first rate, bucket and floor are taken from it
   */
  public AimdRateControl(CubicSettings settings, long nowNanos) {
    this.settings = settings;
    this.rate = settings.initialRate;
    this.changedAtNanos = nowNanos;
    this.bucket = new TokenBucket(settings.bucketSize, perSecond(rate), nowNanos);
    this.received = new ReceiveRate(settings.windowNanos, settings.newSampleWeight, 0, nowNanos);
  }

  private double perSecond(double perWindow) {
    return perWindow * 1e9 / settings.windowNanos;
  }

  @Override
  public long tryAcquire(long nowNanos) {
    return bucket.tryAcquire(nowNanos);
  }

  @Override
  public void acquire(long nowNanos) {
    bucket.acquire(nowNanos);
  }

  @Override
  public void onResponse(long elapsedNanos, long nowNanos) {
    received.count();
    adapt(nowNanos);
  }

  @Override
  public void onFailure(long nowNanos) {
    adapt(nowNanos);
  }

  @Override
  public void onAbandoned() {}

  private void adapt(long nowNanos) {
    if (!adapting.compareAndSet(false, true)) {
      return;
    }
    double receiving = received.perWindow(nowNanos);
    double windows = (nowNanos - changedAtNanos) / (double) settings.windowNanos;
    if (receiving > 0 && rate <= receiving * TOLERANCE) {
      change(rate + STEP_PER_WINDOW * Math.min(1, windows), nowNanos);
    } else if (receiving > 0 && windows >= 2) {
      change(rate * DECREASE, nowNanos);
    }
    adapting.set(false);
  }

  private void change(double perWindow, long nowNanos) {
    rate = Math.max(settings.minRate, perWindow);
    changedAtNanos = nowNanos;
    bucket.setRate(perSecond(rate), nowNanos);
  }

  @Override
  public double limit() {
    return perSecond(rate);
  }
}
