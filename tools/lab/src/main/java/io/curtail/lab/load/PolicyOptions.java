/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverOption;
import io.curtail.driver.AdaptiveOption;
import io.curtail.driver.HedgingOption;
import io.curtail.driver.ThrottlerOption;
import io.curtail.driver.WeightedOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options that a {@link Policy} may have. The driver passes over what it does not know, so that
 * a misspelt option would be measured as if it were set.
 */
final class PolicyOptions {
  private static final String SECTION = "basic.load-balancing-policy.";
  private static final String ELSEWHERE = "advanced.";
  private static final String CLASS = ".class";

  /** Of the driver and of {@code curtail-driver}, by their whole paths. */
  private static final Set<String> KNOWN =
      Stream.<DriverOption[]>of(
              DefaultDriverOption.values(),
              WeightedOption.values(),
              AdaptiveOption.values(),
              HedgingOption.values(),
              ThrottlerOption.values())
          .flatMap(Stream::of)
          .map(DriverOption::getPath)
          .collect(Collectors.toUnmodifiableSet());

  private PolicyOptions() {}

  /** Whether an option is one of {@link Policy#others()}, by its whole path. */
  static boolean isElsewhere(String option) {
    return option.startsWith(ELSEWHERE);
  }

  /**
   * Refuses options that nothing would look at. Classes of another's making may have others.
   *
   * @throws IllegalArgumentException if there is no such option
   */
  static void check(Policy policy) {
    if (Stream.of(policy.options(), policy.others())
        .flatMap(options -> options.entrySet().stream())
        .filter(option -> option.getKey().endsWith(CLASS))
        .map(Map.Entry::getValue)
        .anyMatch(PolicyOptions::isOfAnothersMaking)) {
      return;
    }
    if (!isOfAnothersMaking(policy.className())) {
      policy.options().keySet().forEach(option -> check(option, SECTION, SECTION));
    }
    for (String option : policy.others().keySet()) {
      int end = Math.max(ELSEWHERE.length(), option.indexOf('.', ELSEWHERE.length()) + 1);
      check(option, "", option.substring(0, end));
    }
  }

  /** The driver's own need no package. */
  private static boolean isOfAnothersMaking(String className) {
    return className.contains(".")
        && !className.startsWith("io.curtail.driver.")
        && !className.startsWith("com.datastax.oss.driver.");
  }

  /**
   * @param before what the user does not write of the path
   * @param section of which all options are named if it has no such one
   */
  private static void check(String option, String before, String section) {
    if (!KNOWN.contains(before + option)) {
      Set<String> others =
          KNOWN.stream()
              .filter(known -> known.startsWith(section))
              .map(known -> known.substring(before.length()))
              .collect(Collectors.toCollection(TreeSet::new));
      throw new IllegalArgumentException(
          "policy: no such option: " + option + "; there are " + String.join(", ", others));
    }
  }
}
