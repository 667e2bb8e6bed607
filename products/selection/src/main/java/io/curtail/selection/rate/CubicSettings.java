/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

/**
 * The constants of {@link CubicRateControl}. The paper, the authors' simulator and the authors'
 * Cassandra agree on gamma, beta and s_max and differ in the rest. Immutable.
 */
public final class CubicSettings {
  /** As in the authors' simulator of the camera-ready figures. */
  public static final CubicSettings AUTHORS =
      new CubicSettings(20_000_000L, 4e-6, 0.2, 10, 2, 10, 10, 0.01, 0.1);

  final long windowNanos;
  final double gamma;
  final double beta;
  final double maxStep;
  final double hysteresisWindows;
  final double initialRate;
  final double bucketSize;
  final double minRate;
  final double newSampleWeight;

  private CubicSettings(
      long windowNanos,
      double gamma,
      double beta,
      double maxStep,
      double hysteresisWindows,
      double initialRate,
      double bucketSize,
      double minRate,
      double newSampleWeight) {
    this.windowNanos = windowNanos;
    this.gamma = gamma;
    this.beta = beta;
    this.maxStep = maxStep;
    this.hysteresisWindows = hysteresisWindows;
    this.initialRate = initialRate;
    this.bucketSize = bucketSize;
    this.minRate = minRate;
    this.newSampleWeight = newSampleWeight;
  }

  /**
   * Returns the same constants where all takes longer: the same rates, curve and hysteresis in
   * windows of another length. Where reads take fifty times as long, in slow motion, windows of
   * fifty times the length decide as before.
   *
   * @param nanos the length of a window, at least 1
   */
  public CubicSettings withWindow(long nanos) {
    if (nanos < 1) {
      throw new IllegalArgumentException("a window must be at least a nanosecond");
    }
    double longer = nanos / (double) windowNanos;
    return new CubicSettings(
        nanos,
        gamma / (longer * longer * longer),
        beta,
        maxStep,
        hysteresisWindows,
        initialRate,
        bucketSize,
        minRate,
        newSampleWeight);
  }

  /**
   * Returns the same constants with other rates.
   *
   * @param initial requests per window at the start, above 0
   * @param bucket requests that may go in a burst, at least 1
   * @param min requests per window under which the rate never falls, above 0
   */
  public CubicSettings withRates(double initial, double bucket, double min) {
    if (!(min > 0 && initial >= min && bucket >= 1)) {
      throw new IllegalArgumentException(
          "rates must be above 0, the first at least the least, and the bucket at least 1");
    }
    return new CubicSettings(
        windowNanos,
        gamma,
        beta,
        maxStep,
        hysteresisWindows,
        initial,
        bucket,
        min,
        newSampleWeight);
  }
}
