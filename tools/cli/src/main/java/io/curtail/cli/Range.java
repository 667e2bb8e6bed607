/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.util.Locale;

/** Numbers that a user may give. */
final class Range {
  private Range() {}

  /**
   * Returns the number.
   *
   * @param option as the user typed it
   * @throws IllegalArgumentException if it is out of the range
   */
  static int check(String option, int number, int least, int most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s must be from %,d to %,d, not %,d", option, least, most, number));
    }
    return number;
  }
}
