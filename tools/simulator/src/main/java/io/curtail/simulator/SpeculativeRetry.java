/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import org.HdrHistogram.Histogram;

/**
 * After how long a coordinator sends a second copy of a read: a fixed time, or what so many percent
 * of its reads stayed below when it last looked, as Cassandra's {@code speculative_retry}.
 */
final class SpeculativeRetry {
  private final SimulatedScenario scenario;

  /** Null for a fixed time. */
  private final Histogram tookMicros;

  private final long updateNanos;
  private long nextUpdateNanos;
  private long delayNanos;

  SpeculativeRetry(SimulatedScenario scenario) {
    this.scenario = scenario;
    tookMicros = scenario.speculativeRetryPercentile > 0 ? new Histogram(3) : null;
    delayNanos = (long) (scenario.speculativeRetryMillis * 1e6);
    updateNanos = (long) (scenario.speculativeRetryUpdateMillis * 1e6);
    nextUpdateNanos = updateNanos;
  }

  /** Returns the delay; 0 for no second copy. */
  long delayNanos(long nowNanos) {
    if (tookMicros != null && nowNanos >= nextUpdateNanos) {
      nextUpdateNanos = nowNanos - nowNanos % updateNanos + updateNanos;
      if (tookMicros.getTotalCount() > 0) {
        delayNanos = 1_000 * tookMicros.getValueAtPercentile(scenario.speculativeRetryPercentile);
      }
    }
    return delayNanos;
  }

  /** A read has its answer. */
  void onDone(long nanos) {
    if (tookMicros != null) {
      tookMicros.recordValue(nanos / 1_000);
    }
  }
}
