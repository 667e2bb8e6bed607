/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

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
public final class CubicRateControl extends WindowRateControl {
  private double saturationRate;
  private long increasedAtNanos;
  private long decreasedAtNanos;

  public CubicRateControl(CubicSettings settings, long nowNanos) {
    super(settings, nowNanos);
    this.saturationRate = settings.initialRate;
    this.increasedAtNanos = nowNanos;
    this.decreasedAtNanos = nowNanos;
  }

  @Override
  double next(double sending, double receiving, long nowNanos) {
    if (sending < receiving) {
      increasedAtNanos = nowNanos;
      double cubic = cubic((nowNanos - decreasedAtNanos) * 1e-6);
      return Math.min(sending + settings.maxStep, cubic);
    }
    if (sending > receiving
        && nowNanos - increasedAtNanos > settings.hysteresisWindows * settings.windowNanos) {
      saturationRate = sending;
      decreasedAtNanos = nowNanos;
      return sending * settings.beta;
    }
    return sending;
  }

  private double cubic(double elapsedMillis) {
    double inflection = Math.cbrt(settings.beta * saturationRate / settings.gamma);
    double x = elapsedMillis - inflection;
    return settings.gamma * x * x * x + saturationRate;
  }
}
