/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import com.codahale.metrics.Snapshot;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.metrics.DecayingEstimatedHistogramReservoir;

/** How long something took in the last minutes, in microseconds. Thread-safe. */
final class RecentTimes {
  private final DecayingEstimatedHistogramReservoir micros =
      new DecayingEstimatedHistogramReservoir();

  /** Notes what began at this {@link System#nanoTime} and has ended. */
  void since(long startNanos) {
    micros.update(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos));
  }

  /** Puts median and 99th percentile to the values, rounded up to a bucket of Cassandra's. */
  void tell(Map<String, Object> values, String name) {
    Snapshot now = micros.getSnapshot();
    values.put(name + "_p50_micros", (long) now.getMedian());
    values.put(name + "_p99_micros", (long) now.get99thPercentile());
  }
}
