/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * A small, fast, splittable generator with one word of state. Not thread-safe.
 *
 * <p>Reference: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
 */
public final class SplitMix64 implements RandomSource {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  public SplitMix64(long seed) {
    this.state = seed;
  }

  @Override
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** Returns an independent generator for the numbered purpose, the same one each time. */
  public static SplitMix64 stream(long seed, long purpose) {
    return new SplitMix64(mix(mix(seed + GOLDEN_GAMMA) + purpose * GOLDEN_GAMMA));
  }

  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
