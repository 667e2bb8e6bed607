/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import org.HdrHistogram.Histogram;

/** Measured minus wanted delays, in microseconds. Not thread-safe. */
public record DelayError(Histogram lateMicros, Histogram earlyMicros) {
  static DelayError none() {
    return new DelayError(new Histogram(3), new Histogram(3));
  }

  void add(DelayError other) {
    lateMicros.add(other.lateMicros);
    earlyMicros.add(other.earlyMicros);
  }

  /** How many delays were measured. */
  public long count() {
    return lateMicros.getTotalCount() + earlyMicros.getTotalCount();
  }

  /** The error at a percentile (0 to 100) of all errors; negative when delays were too short. */
  public long percentileMicros(double percentile) {
    long rank = (long) Math.ceil(percentile / 100 * count());
    long early = earlyMicros.getTotalCount();
    if (count() == 0) {
      return 0;
    }
    if (rank <= early) {
      double fromTheTop = 100.0 * (early - rank) / early;
      return -earlyMicros.getValueAtPercentile(fromTheTop);
    }
    return lateMicros.getValueAtPercentile(100.0 * (rank - early) / lateMicros.getTotalCount());
  }

  /** The share (0 to 1) of delays that were at least this much too long. */
  public double shareLaterThan(long micros) {
    if (count() == 0) {
      return 0;
    }
    long above = lateMicros.getTotalCount() - lateMicros.getCountBetweenValues(0, micros);
    return (double) above / count();
  }
}
