/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import java.util.Locale;

/** Numbers that a user may give. */
public final class Range {
  private Range() {}

  /**
   * Returns the number.
   *
   * @param option as the user typed it
   * @param least the lowest that is right
   * @param most the highest that is right
   * @throws IllegalArgumentException if it is out of the range
   */
  public static int check(String option, int number, int least, int most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be from %,d to %,d, not %,d", option, least, most, number));
    }
    return number;
  }
}
