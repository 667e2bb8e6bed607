/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.hooks;

/**
 * How the service times of one read differ from those of the next, as multiples of their mean. Each
 * is 1 on average. Draws are numbers in [0, 1), independent of each other.
 */
public enum Medium {
  /** Exponential, as in the C3 paper's simulation. */
  EXPONENTIAL(1, (read, choice, row) -> exponential(read)),
  /** 60 % of the reads find their pages in memory; the others wait for an arm, 24 times as long. */
  SPINNING_DISK(2, (read, choice, row) -> oneOfTwo(read, choice, 0.6, 0.1)),
  /** 2 % of the reads wait until the drive has cleaned up or written, 22 times as long. */
  SSD(3, (read, choice, row) -> oneOfTwo(read, choice, 0.98, 0.7)),
  /** Rows of exponential sizes: what a read takes goes with the size of its row. */
  SKEWED_ROWS(4, (read, choice, row) -> exponential(row) * exponential(read));

  private interface Time {
    double unit(double read, double choice, double row);
  }

  /** Its number in a plan's file. */
  final int code;

  @SuppressWarnings("ImmutableEnumChecker") // functions of their arguments alone
  private final Time time;

  Medium(int code, Time time) {
    this.code = code;
    this.time = time;
  }

  static Medium of(long code) {
    for (Medium medium : values()) {
      if (medium.code == code) {
        return medium;
      }
    }
    throw new IllegalArgumentException("no such medium: " + code);
  }

  /**
   * @param read of this read
   * @param choice of this read, another one
   * @param row the same for all reads of a row
   */
  double unit(double read, double choice, double row) {
    return time.unit(read, choice, row);
  }

  private static double exponential(double draw) {
    return -Math.log(1 - draw);
  }

  /** Hyperexponential. */
  private static double oneOfTwo(double read, double choice, double share, double mean) {
    double others = (1 - share * mean) / (1 - share);
    return exponential(read) * (choice < share ? mean : others);
  }
}
