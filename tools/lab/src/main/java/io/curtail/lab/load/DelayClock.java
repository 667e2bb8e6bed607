/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import org.HdrHistogram.Histogram;

/**
 * How exactly one event loop delays: learns by how much its timer rings late, and keeps the
 * difference between measured and wanted delays for the report. Used by the loop's thread alone;
 * errors are taken at the beginning and the end of a run.
 */
final class DelayClock {
  private static final long MAX_LEAD_NANOS = 150_000;
  private static final long STEP_NANOS = 1_000;
  private static final long HIGHEST_MICROS = 60_000_000;

  private long leadNanos = 20_000;
  private Histogram lateMicros = new Histogram(1, HIGHEST_MICROS, 3);
  private Histogram earlyMicros = new Histogram(1, HIGHEST_MICROS, 3);

  /** How long before the wanted time the timer should ring. */
  long leadNanos() {
    return leadNanos;
  }

  /** The lead follows the median of the error: a step up for late, a step down for early. */
  void record(long lateNanos, boolean timerRang) {
    if (timerRang) {
      leadNanos =
          Math.max(
              0, Math.min(MAX_LEAD_NANOS, leadNanos + (lateNanos > 0 ? STEP_NANOS : -STEP_NANOS)));
    }
    (lateNanos > 0 ? lateMicros : earlyMicros)
        .recordValue(Math.min(HIGHEST_MICROS, Math.abs(lateNanos) / 1_000));
  }

  /** The errors since the last call. */
  DelayError takeErrors() {
    DelayError error = new DelayError(lateMicros, earlyMicros);
    lateMicros = new Histogram(1, HIGHEST_MICROS, 3);
    earlyMicros = new Histogram(1, HIGHEST_MICROS, 3);
    return error;
  }
}
