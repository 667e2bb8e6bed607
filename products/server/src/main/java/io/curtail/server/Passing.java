/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Locale;

/** What becomes of a read that would have to wait for a read thread. */
enum Passing {
  /** It waits, as on a stock node. */
  OFF(0),
  /** It waits, and is counted. */
  OBSERVE(1),
  /** It goes to the replica that is expected to be done first. */
  ON(2);

  private final int level;

  Passing(int level) {
    this.level = level;
  }

  /** 0 for off, up to 2: for monitoring, which wants numbers. */
  int level() {
    return level;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Passing parse(String text) {
    for (Passing passing : values()) {
      if (passing.toString().equals(text)) {
        return passing;
      }
    }
    throw new IllegalArgumentException(
        "passing: must be one of off, observe, on, not '" + text + "'");
  }
}
