/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import java.util.function.BinaryOperator;

/** One axis of a chart: its title, unit and kind of scale. Immutable. */
public final class Axis {
  private enum Kind {
    LINEAR,
    LOGARITHMIC,
    PERCENTILE
  }

  private final Kind kind;
  private final String title;
  private final Unit unit;
  private final double from;

  private Axis(Kind kind, String title, Unit unit, double from) {
    this.kind = kind;
    this.title = title;
    this.unit = unit;
    this.from = from;
  }

  /** Equal steps; begins at zero unless the data goes below, ends at or above the data. */
  public static Axis linear(String title, Unit unit) {
    return new Axis(Kind.LINEAR, title, unit, 0);
  }

  /** Equal ratios, fitted to the data; values of zero or less are drawn at the lower end. */
  public static Axis logarithmic(String title, Unit unit) {
    return new Axis(Kind.LOGARITHMIC, title, unit, Double.NaN);
  }

  /** Percentiles 0 to 100, each further nine as wide as the one before. */
  public static Axis percentile(String title) {
    return new Axis(Kind.PERCENTILE, title, Unit.PERCENTILE, 0);
  }

  /** The same axis that begins at this value, whatever the data. */
  public Axis from(double lowest) {
    return new Axis(kind, title, unit, lowest);
  }

  String title() {
    return title;
  }

  Unit unit() {
    return unit;
  }

  Scale scale(double lowestInData, double highestInData) {
    double lowest = given(from, lowestInData, kind == Kind.LINEAR ? Math::min : (a, b) -> a);
    return switch (kind) {
      case LINEAR -> LinearScale.covering(lowest, highestInData);
      case LOGARITHMIC -> LogScale.covering(lowest, highestInData);
      case PERCENTILE -> PercentileScale.covering(highestInData);
    };
  }

  private static double given(double fixed, double inData, BinaryOperator<Double> both) {
    return Double.isNaN(fixed) ? inData : Double.isNaN(inData) ? fixed : both.apply(fixed, inData);
  }
}
