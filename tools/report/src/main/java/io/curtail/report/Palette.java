/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

/**
 * The colours of series, by number; the shades for light and dark pages are in chart.css. Chosen
 * after Okabe and Ito's colour-blind-safe set, with lightness spread so that they also differ in
 * grey. There are eight; the second eight are the same, with dashed lines and empty bars.
 */
final class Palette {
  static final int SIZE = 16;

  private Palette() {}

  /** The colour class of a series: its own, or the one of its place in the chart. */
  static int colour(int own, int place) {
    return own > 0 ? (own - 1) % SIZE + 1 : place % SIZE + 1;
  }
}
