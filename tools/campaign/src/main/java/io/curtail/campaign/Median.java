/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import java.util.Arrays;

/** The middle of numbers, or the mean of the two in the middle. */
public final class Median {
  private Median() {}

  /**
   * Returns it.
   *
   * @param values at least one, in any order; they stay as they are
   */
  public static double of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
