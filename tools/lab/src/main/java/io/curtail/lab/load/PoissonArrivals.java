/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.SplittableRandom;

/** Times between requests that arrive independently of each other: exponential. Not thread-safe. */
final class PoissonArrivals {
  private final double meanNanos;
  private final SplittableRandom random;

  PoissonArrivals(double rateHz, SplittableRandom random) {
    this.meanNanos = 1e9 / rateHz;
    this.random = random;
  }

  long nextGapNanos() {
    return (long) (-meanNanos * Math.log(1 - random.nextDouble()));
  }
}
