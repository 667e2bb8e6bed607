/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

/**
 * Additive increase, multiplicative decrease on C3's signal: while responses come as fast as
 * requests may go, the rate grows by a step per window; when they come slower it is halved, at most
 * once per two windows.
 *
 * <p>Reference: Chiu and Jain, "Analysis of the Increase and Decrease Algorithms for Congestion
 * Avoidance in Computer Networks", 1989.
 */
public final class AimdRateControl extends WindowRateControl {
  private static final double STEP_PER_WINDOW = 1;
  private static final double DECREASE = 0.5;
  private static final double TOLERANCE = 1.2;

  private long changedAtNanos;

  /**
   * @param settings window, first rate, bucket and floor are taken from it
   */
  public AimdRateControl(CubicSettings settings, long nowNanos) {
    super(settings, nowNanos);
    this.changedAtNanos = nowNanos;
  }

  @Override
  double next(double sending, double receiving, long nowNanos) {
    double windows = (nowNanos - changedAtNanos) / (double) settings.windowNanos;
    if (sending <= receiving * TOLERANCE) {
      changedAtNanos = nowNanos;
      return sending + STEP_PER_WINDOW * Math.min(1, windows);
    }
    if (windows >= 2) {
      changedAtNanos = nowNanos;
      return sending * DECREASE;
    }
    return sending;
  }
}
