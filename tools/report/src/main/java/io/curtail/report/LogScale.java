/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.ArrayList;
import java.util.List;

/** Equal distances for equal ratios, ticks at 1, 2 and 5 times powers of ten where they fit. */
record LogScale(double lowest, double highest) implements Scale {
  private static final double[] LEADS = {1, 2, 5};

  /**
   * Widens the range to the next 1, 2 or 5 times a power of ten on both sides; a single value comes
   * to lie between two of them.
   */
  static LogScale covering(double lowest, double highest) {
    double bottom = lowest > 0 ? lowest : highest > 0 ? highest / 1_000 : 1;
    double top = Math.max(bottom, highest);
    if (top == bottom) {
      bottom /= 2;
      top *= 2;
    }
    double below = Double.MIN_NORMAL;
    double above = Double.MAX_VALUE;
    for (int power = floorLog10(bottom) - 1; power <= floorLog10(top) + 1; power++) {
      for (double lead : LEADS) {
        double round = lead * Math.pow(10, power);
        if (round <= bottom * (1 + 1e-9)) {
          below = round;
        }
        if (round >= top * (1 - 1e-9) && above == Double.MAX_VALUE) {
          above = round;
        }
      }
    }
    return new LogScale(below, above);
  }

  @Override
  public double position(double value) {
    double position = Math.log(Math.max(value, lowest) / lowest) / Math.log(highest / lowest);
    return Math.max(0, Math.min(1, position));
  }

  @Override
  public List<Double> ticks(int wanted) {
    List<Double> dense = ticks(LEADS);
    if (dense.size() <= wanted + 1) {
      return dense;
    }
    List<Double> decades = ticks(new double[] {1});
    return decades.size() >= 2 ? decades : dense;
  }

  private List<Double> ticks(double[] leads) {
    List<Double> ticks = new ArrayList<>();
    for (int power = floorLog10(lowest); power <= floorLog10(highest) + 1; power++) {
      for (double lead : leads) {
        double tick = lead * Math.pow(10, power);
        if (tick >= lowest * (1 - 1e-9) && tick <= highest * (1 + 1e-9)) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }

  private static int floorLog10(double value) {
    return (int) Math.floor(Math.log10(value) + 1e-12);
  }
}
