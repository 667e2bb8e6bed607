/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.util.List;

/**
 * What should not be.
 *
 * @param at the time of day
 * @param what differs, with the partition
 * @param later what was to be seen some seconds later; null if it was right then
 * @param operations the last ones on that partition
 */
public record Violation(String at, String what, String later, List<String> operations) {
  @Override
  public String toString() {
    return at
        + " "
        + what
        + (later == null ? " (right some seconds later)" : " (still so some seconds later)")
        + operations.stream().map(line -> "\n      " + line).reduce("", String::concat);
  }
}
