/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** The median of some repeats, with the smallest and the largest. */
record Spread(double median, double lowest, double highest, int repeats) {
  /** What is not a number does not count. */
  static Spread of(DoubleStream values) {
    double[] sorted = values.filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN, 0);
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
  }

  /** Such as "×1.6 (×1.5 to ×1.7)". */
  String format(DoubleFunction<String> unit) {
    return repeats < 2
        ? unit.apply(median)
        : unit.apply(median) + " (" + unit.apply(lowest) + " to " + unit.apply(highest) + ")";
  }
}
