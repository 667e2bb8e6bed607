/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.SplittableRandom;

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

  /** Returns a generator that gives the same numbers for the same seed. */
  static RandomSource seeded(long seed) {
    return new SplittableRandom(seed)::nextLong;
  }

  /** Returns an independent generator for the numbered purpose, the same one each time. */
  static RandomSource stream(long seed, long purpose) {
    long goldenGamma = 0x9E3779B97F4A7C15L;
    long mixedSeed = new SplittableRandom(seed).nextLong();
    return seeded(new SplittableRandom(mixedSeed + (purpose - 1) * goldenGamma).nextLong());
  }
}
