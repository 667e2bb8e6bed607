/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/** Where random bits come from. An instance belongs to one thread unless it says otherwise. */
@FunctionalInterface
public interface RandomSource {
  /** Returns 64 independent, uniform random bits. */
  long nextLong();

  /**
   * Returns a uniform number from 0 to {@code bound - 1}. The bias is below {@code bound / 2^32}.
   */
  default int nextInt(int bound) {
    return (int) (((nextLong() >>> 32) * bound) >>> 32);
  }

  /** Returns a uniform number in [0, 1). */
  default double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }
}
