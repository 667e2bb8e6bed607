/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What the plug-in does on this node. Can be changed while the node runs. */
enum Mode {
  /** Stock: the embedded dynamic snitch orders, nothing is measured or sent. */
  OFF(0, "off"),
  /** Stock order; measures, reports to peers, and records what Curtail would have chosen. */
  OBSERVE(1, "observe"),
  /** Curtail orders. */
  RANK(2, "rank"),
  /** Curtail orders, and holds reads for a moment when every replica is at its rate. */
  RANK_AND_RATE(3, "rank+rate");

  private final int level;
  private final String text;

  Mode(int level, String text) {
    this.level = level;
    this.text = text;
  }

  /** 0 for off, up to 3: for monitoring, which wants numbers. */
  int level() {
    return level;
  }

  boolean measures() {
    return this != OFF;
  }

  boolean ranks() {
    return this == RANK || this == RANK_AND_RATE;
  }

  @Override
  public String toString() {
    return text;
  }

  static Mode parse(String text) {
    for (Mode mode : values()) {
      if (mode.text.equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "mode: must be one of "
            + Arrays.stream(values()).map(Mode::toString).collect(Collectors.joining(", "))
            + ", not '"
            + text
            + "'");
  }
}
