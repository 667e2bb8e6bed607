/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * What Curtail's code may cost. Times are ratios to something that the same run measured, because a
 * machine is slower on some days.
 *
 * @param what costs, and what it is divided by
 * @param measured never negative
 * @param most is within the budget
 */
public record Budget(String what, double measured, double most) {
  /**
   * JMH spreads what the JVM itself allocates over the operations: far below the smallest object.
   */
  private static final double NO_BYTES = 0.5;

  /** That an operation allocates nothing. */
  public static Budget noBytes(String operation, double bytes) {
    return new Budget("bytes of " + operation, bytes, NO_BYTES);
  }

  /** Also false if nothing was measured. */
  public boolean isKept() {
    return measured <= most;
  }

  /** One line that says which budget is broken, or that none is. */
  public static String verdict(List<Budget> budgets) {
    List<String> broken =
        budgets.stream().filter(budget -> !budget.isKept()).map(Budget::toString).toList();
    return broken.isEmpty()
        ? "Within the budget: " + budgets.size() + " of " + budgets.size() + " limits are kept."
        : "Over the budget: " + String.join("; ", broken) + ".";
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s: %.2f, at most %.2f", what, measured, most);
  }
}
