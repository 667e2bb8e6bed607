/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** A run's latency by percentile, as far as a figure needs it. Immutable. */
final class Distribution {
  private static final double[] PERCENTILES = {
    0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 93, 95, 97, 98, 99, 99.3, 99.5, 99.7, 99.8, 99.9,
    99.93, 99.95, 99.97, 99.98, 99.99
  };
  private static final double MICROS_PER_MILLI = 1_000;

  private final double[] millis;

  private Distribution(double[] millis) {
    this.millis = millis;
  }

  static Distribution of(Histogram latencyMicros) {
    return new Distribution(
        Arrays.stream(PERCENTILES)
            .map(p -> Math.max(1, latencyMicros.getValueAtPercentile(p)) / MICROS_PER_MILLI)
            .toArray());
  }

  /** Returns percentiles from 0 to below 100. */
  double[] percentiles() {
    return PERCENTILES.clone();
  }

  /** Returns the latency at each. */
  double[] millis() {
    return millis.clone();
  }

  /** Writes an HdrHistogram log with one interval, the whole run, in microseconds. */
  static void writeLog(Path file, Result result, Histogram latencyMicros) throws IOException {
    try (OutputStream bytes = Files.newOutputStream(file);
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputLogFormatVersion();
      log.outputComment(
          "[" + result.policy() + ", " + result.cell() + ", seed " + result.seed() + "]");
      log.outputLegend();
      log.outputIntervalHistogram(0, 1, latencyMicros, MICROS_PER_MILLI);
    }
  }
}
