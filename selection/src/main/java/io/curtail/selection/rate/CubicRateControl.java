/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * C3's rate control. On every response, with srate and rrate in requests per window:
 *
 * <pre>
 *   if srate &lt; rrate:                                     T_inc = now
 *     R_cubic = gamma * (dT - cbrt(beta * R0 / gamma))^3 + R0      dT = now - T_dec, in ms
 *     srate   = min(srate + s_max, R_cubic)
 *   else if srate &gt; rrate and now - T_inc &gt; hysteresis:   R0 = srate; srate = srate * beta; T_dec = now
 * </pre>
 *
 * srate never falls under its floor. While nothing has been received the rate stays.
 *
 * <p>Reference: Suresh et al., NSDI 2015, section 3.2, after CUBIC TCP. Kept from the paper though
 * odd: a cut leaves 20 %, but the curve restarts at 80 %; and cuts are not spaced, so a burst of
 * responses can take the rate to its floor.
 */
public final class CubicRateControl implements RateControl {
  private final CubicSettings settings;
  private final TokenBucket bucket;
  private final ReceiveRate received;
  private final AtomicBoolean adapting = new AtomicBoolean();
  private volatile double rate;
  private double saturationRate;
  private long increasedAtNanos;
  private long decreasedAtNanos;

  public CubicRateControl(CubicSettings settings, long nowNanos) {
    this.settings = settings;
    this.rate = settings.initialRate;
    this.saturationRate = settings.initialRate;
    this.increasedAtNanos = nowNanos;
    this.decreasedAtNanos = nowNanos;
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

  // A response that meets another thread here is counted, and adapts nothing.
  private void adapt(long nowNanos) {
    if (!adapting.compareAndSet(false, true)) {
      return;
    }
    double sending = rate;
    double receiving = received.perWindow(nowNanos);
    if (receiving > 0 && sending < receiving) {
      increasedAtNanos = nowNanos;
      double cubic = cubic((nowNanos - decreasedAtNanos) * 1e-6);
      change(Math.min(sending + settings.maxStep, cubic), nowNanos);
    } else if (receiving > 0
        && sending > receiving
        && nowNanos - increasedAtNanos > settings.hysteresisWindows * settings.windowNanos) {
      saturationRate = sending;
      decreasedAtNanos = nowNanos;
      change(sending * settings.beta, nowNanos);
    }
    adapting.set(false);
  }

  private double cubic(double elapsedMillis) {
    double inflection = Math.cbrt(settings.beta * saturationRate / settings.gamma);
    double x = elapsedMillis - inflection;
    return settings.gamma * x * x * x + saturationRate;
  }

  private void change(double perWindow, long nowNanos) {
    rate = Math.max(settings.minRate, perWindow);
    bucket.setRate(perSecond(rate), nowNanos);
  }

  @Override
  public double limit() {
    return perSecond(rate);
  }
}
