/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import io.curtail.campaign.Median;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What was measured side by side: the median of each, and of the ratios of the pairs. */
final class Ratios {
  private final double[] own;
  private final double[] other;

  /** As many of the one as of the other. */
  Ratios(double[] own, double[] other) {
    this.own = own.clone();
    this.other = other.clone();
  }

  /** Of as many of the one as of the other. */
  static <T> Ratios of(List<T> own, List<T> other, ToDoubleFunction<T> value) {
    return new Ratios(
        own.stream().mapToDouble(value).toArray(), other.stream().mapToDouble(value).toArray());
  }

  /** Of two numbers that were measured together, each time. */
  static <T> Ratios of(List<T> turns, ToDoubleFunction<T> own, ToDoubleFunction<T> other) {
    return new Ratios(
        turns.stream().mapToDouble(own).toArray(), turns.stream().mapToDouble(other).toArray());
  }

  private double[] ofPairs() {
    double[] ratios = new double[own.length];
    Arrays.setAll(ratios, i -> own[i] / other[i]);
    return ratios;
  }

  /** Of the pairs' ratios of own to other. */
  double median() {
    return Median.of(ofPairs());
  }

  /** Cells of a table: what it is, other, own, their ratio and its range. */
  String[] row(String name, double scale) {
    double[] ratios = ofPairs();
    Arrays.sort(ratios);
    return new String[] {
      name,
      number(Median.of(other) * scale),
      number(Median.of(own) * scale),
      number(Median.of(ratios)),
      number(ratios[0]),
      number(ratios[ratios.length - 1])
    };
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.2f", value);
  }
}
