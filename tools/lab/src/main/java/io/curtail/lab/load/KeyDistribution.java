/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.Locale;
import java.util.SplittableRandom;

/** Which row a request asks for. Implementations are immutable. */
public interface KeyDistribution {
  /** YCSB's constant: a few keys take much of the load. */
  double YCSB_THETA = 0.99;

  /** A key between 0 and the number of keys - 1. */
  long next(SplittableRandom random);

  /** All keys alike. */
  static KeyDistribution uniform(long keys) {
    return random -> random.nextLong(keys);
  }

  /** A share of the requests asks for the first key, the others for any. */
  static KeyDistribution hot(long keys, double share) {
    return random -> random.nextDouble() < share ? 0 : random.nextLong(keys);
  }

  /** Zipfian ranks, scattered over the keys by a hash so that hot keys are not neighbours. */
  static KeyDistribution scrambledZipfian(long keys, double theta) {
    Zipfian ranks = new Zipfian(keys, theta);
    return random -> Math.floorMod(fnv1a(ranks.next(random)), keys);
  }

  /**
   * The distribution that a user named.
   *
   * @throws IllegalArgumentException for any other name
   */
  static KeyDistribution named(String name, long keys) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "uniform" -> uniform(keys);
      case "zipfian" -> scrambledZipfian(keys, YCSB_THETA);
      default ->
          throw new IllegalArgumentException("keys: uniform or zipfian, not \"" + name + "\"");
    };
  }

  /** The 64-bit hash of Fowler, Noll and Vo, over the eight bytes. */
  private static long fnv1a(long value) {
    long hash = 0xCBF29CE484222325L;
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ ((value >>> shift) & 0xFF)) * 0x100000001B3L;
    }
    return hash;
  }
}
