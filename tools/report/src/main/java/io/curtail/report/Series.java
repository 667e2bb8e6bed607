/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

/**
 * A named curve. The arrays are as long as each other and are not copied; x ascends. A y of NaN
 * leaves a gap. Immutable as long as the caller leaves the arrays alone.
 */
public final class Series {
  private final String name;
  private final int colour;
  private final double[] x;
  private final double[] y;
  private final double[] low;
  private final double[] high;

  private Series(String name, int colour, double[] x, double[] y, double[] low, double[] high) {
    if (x.length != y.length
        || (low != null && (low.length != x.length || high.length != x.length))) {
      throw new IllegalArgumentException("series " + name + ": arrays of unequal length");
    }
    this.name = name;
    this.colour = colour;
    this.x = x;
    this.y = y;
    this.low = low;
    this.high = high;
  }

  public static Series of(String name, double[] x, double[] y) {
    return new Series(name, 0, x, y, null, null);
  }

  /**
   * The same curve in one colour of the palette, 1 to {@value Palette#SIZE}, so that the same thing
   * has the same colour on a whole page; 0 takes the next colour.
   */
  public Series colour(int index) {
    return new Series(name, index, x, y, low, high);
  }

  /** The same curve with a band around it, such as an interval. */
  public Series band(double[] lower, double[] upper) {
    return new Series(name, colour, x, y, lower, upper);
  }

  String name() {
    return name;
  }

  int colour() {
    return colour;
  }

  double[] x() {
    return x;
  }

  double[] y() {
    return y;
  }

  /** The lower edge of the band, or null. */
  double[] low() {
    return low;
  }

  double[] high() {
    return high;
  }
}
