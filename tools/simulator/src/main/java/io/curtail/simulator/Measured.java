/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import org.HdrHistogram.Histogram;

/** What a run has measured so far. Latency counts from the arrival at the client. */
final class Measured {
  private static final long HIGHEST_MICROS = 3_600_000_000L;

  final Histogram latencyMicros = new Histogram(3);
  private double sumMillis;
  private double neededNanos;
  private double extraNanos;
  private double messageNanos;
  long completed;
  long lost;
  long copies;

  void latency(long nanos) {
    latencyMicros.recordValue(Math.min(HIGHEST_MICROS, Math.round(nanos * 1e-3)));
    sumMillis += nanos * 1e-6;
  }

  /** A copy is served. The first ones that a read needs are work; what is beyond is extra. */
  void service(Copy copy, double nanos) {
    copy.extra = copy.read.started++ >= copy.read.needed;
    if (copy.extra) {
      extraNanos += nanos;
    } else {
      neededNanos += nanos;
    }
  }

  /** A copy's service ends before its time, because another one was answered: that was needed. */
  void purged(Copy copy) {
    for (Copy other = copy.read.first; !copy.extra && other != null; other = other.nextOfRead) {
      if (other.extra && other.answered) {
        neededNanos += other.serviceNanos - copy.serviceNanos;
        extraNanos += copy.serviceNanos - other.serviceNanos;
        other.extra = false;
        copy.extra = true;
      }
    }
    extraNanos -= copy.leftNanos;
  }

  void messageCost(double nanos) {
    messageNanos += nanos;
  }

  double meanMillis() {
    long counted = latencyMicros.getTotalCount();
    return counted == 0 ? Double.NaN : sumMillis / counted;
  }

  double percentileMillis(double percentile) {
    return latencyMicros.getValueAtPercentile(percentile) * 1e-3;
  }

  /** Returns the servers' work beyond one service per needed answer, as a share of that. */
  double extraWork() {
    return (extraNanos + messageNanos) / neededNanos;
  }
}
