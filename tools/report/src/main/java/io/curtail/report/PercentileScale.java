/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Percentiles on a log tail: each further nine takes the same room, {@code -log10(1 - p / 100)}, as
 * HdrHistogram's plots have it.
 */
record PercentileScale(double highest) implements Scale {
  private static final double[] TICKS = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};

  /** The next round percentile at or above the highest in the data, at least 99. */
  static PercentileScale covering(double highest) {
    for (double tick : TICKS) {
      if (tick >= 99 && tick >= highest - 1e-9) {
        return new PercentileScale(tick);
      }
    }
    return new PercentileScale(TICKS[TICKS.length - 1]);
  }

  @Override
  public double position(double value) {
    return Math.max(0, Math.min(1, nines(value) / nines(highest)));
  }

  @Override
  public List<Double> ticks(int wanted) {
    List<Double> ticks = new ArrayList<>();
    for (double tick : TICKS) {
      if (tick <= highest) {
        ticks.add(tick);
      }
    }
    return ticks;
  }

  private static double nines(double percentile) {
    return -Math.log10(1 - Math.min(percentile, 99.99999) / 100);
  }
}
