/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.List;

/** Equal distances for equal differences, ticks at 1, 2 or 5 times a power of ten. */
record LinearScale(double lowest, double highest) implements Scale {
  /** Widens the range to whole ticks, so that curves do not touch the frame. */
  static LinearScale covering(double lowest, double highest) {
    double top = highest > lowest ? highest : lowest + 1;
    double step = step(top - lowest, 5);
    return new LinearScale(
        Math.floor(lowest / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step);
  }

  @Override
  public double position(double value) {
    return Math.max(0, Math.min(1, (value - lowest) / (highest - lowest)));
  }

  @Override
  public List<Double> ticks(int wanted) {
    double step = step(highest - lowest, wanted);
    List<Double> ticks = new ArrayList<>();
    for (long i = (long) Math.ceil(lowest / step - 1e-9); i * step <= highest + step * 1e-9; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  private static double step(double range, int wanted) {
    double rough = range / Math.max(1, wanted);
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double lead = rough / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
  }
}
