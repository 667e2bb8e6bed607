/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

/** The standard normal distribution. */
final class Normal {
  private Normal() {}

  /**
   * The probability of a value at or below; an error below 1e-7: Abramowitz and Stegun, "Handbook
   * of Mathematical Functions", 26.2.17.
   */
  static double cumulative(double value) {
    double t = 1 / (1 + 0.2316419 * Math.abs(value));
    double density = Math.exp(-value * value / 2) / Math.sqrt(2 * Math.PI);
    double upper =
        density
            * t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return value >= 0 ? 1 - upper : upper;
  }

  /** The value with this probability at or below it, by bisection. */
  static double quantile(double probability) {
    double low = -9;
    double high = 9;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (cumulative(middle) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }
}
