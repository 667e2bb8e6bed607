/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.weighted;

/** From where on a {@link ReplicaHealth} counts as stalled or failing. Immutable. */
public final class HealthSettings {
  /** 10 requests in flight, 200 ms, half of the responses. */
  public static final HealthSettings DEFAULT = new HealthSettings(10, 200_000_000L, 0.5);

  final int busyInFlight;
  final long stallWindowNanos;
  final double failingRatio;

  /**
   * @param busyInFlight requests in flight from which on a silent replica is stalled, at least 1
   * @param stallWindowNanos how long it must be silent, above 0
   * @param failingRatio the share of failures above which it fails, above 0; with 1 none ever does
   * @throws IllegalArgumentException if a value is out of its range
   */
  public HealthSettings(int busyInFlight, long stallWindowNanos, double failingRatio) {
    if (busyInFlight < 1 || stallWindowNanos < 1 || !(failingRatio > 0 && failingRatio <= 1)) {
      throw new IllegalArgumentException(
          "no health settings: " + busyInFlight + ", " + stallWindowNanos + " ns, " + failingRatio);
    }
    this.busyInFlight = busyInFlight;
    this.stallWindowNanos = stallWindowNanos;
    this.failingRatio = failingRatio;
  }

  /** Returns how long a busy replica must be silent to be stalled. */
  public long stallWindowNanos() {
    return stallWindowNanos;
  }
}
