/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

/** At most so many requests in flight; the server's answers set the pace. */
public final class InFlightLimit extends InFlightControl {
  private final int limit;

  /**
   * @param limit at least 1
   */
  public InFlightLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a limit in flight must be at least 1, not " + limit);
    }
    this.limit = limit;
  }

  @Override
  public double limit() {
    return limit;
  }
}
