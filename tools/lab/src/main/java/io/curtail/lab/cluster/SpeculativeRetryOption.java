/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.util.Locale;
import java.util.regex.Pattern;

/** When a coordinator sends a second copy of a read: an option of a table. */
public final class SpeculativeRetryOption {
  private static final String POSITIVE = "(?=[0-9.]*[1-9])";

  private static final Pattern KNOWN =
      Pattern.compile(
          "never|always|"
              + (POSITIVE + "[0-9]{1,2}(\\.[0-9]+)?p|")
              + (POSITIVE + "[0-9]{1,9}(\\.[0-9]+)?ms"));

  private SpeculativeRetryOption() {}

  /**
   * Returns the value in lower case, as CQL and the simulator know it.
   *
   * @param option for the message
   * @throws IllegalArgumentException unless it is never, always, a percentile as in 99p, above 0
   *     and below 100, or a time above 0 as in 20ms
   */
  public static String parse(String option, String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (!KNOWN.matcher(lower).matches()) {
      throw new IllegalArgumentException(
          "%s: never, always, or as in 99p and 20ms, not \"%s\"".formatted(option, value));
    }
    return lower;
  }
}
