/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import io.curtail.report.Tile;
import io.curtail.report.Unit;

/**
 * An estimate and the interval that covers it with a confidence of 95 %.
 *
 * @param samples how many independent blocks it rests on
 */
public record Interval(double estimate, double low, double high, int samples) {
  /** Of what cannot be told. */
  public static final Interval NONE = new Interval(Double.NaN, Double.NaN, Double.NaN, 0);

  /** Whether the value lies outside: the difference to it is larger than the noise. */
  public boolean excludes(double value) {
    return low > value || high < value;
  }

  /** As a ratio, such as "×0.53 (0.51–0.55)". */
  public String toRatio() {
    String ratio = Unit.RATIO.format(estimate);
    return Double.isNaN(low)
        ? ratio
        : ratio + " (" + Unit.PLAIN.format(low) + "–" + Unit.PLAIN.format(high) + ")";
  }

  /** How a ratio looks to a reader: neutral when it has room for no difference. */
  public Tile.Tone tone(boolean moreIsBetter) {
    if (!excludes(1)) {
      return Tile.Tone.NEUTRAL;
    }
    return estimate > 1 == moreIsBetter ? Tile.Tone.GOOD : Tile.Tone.BAD;
  }
}
