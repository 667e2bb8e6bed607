/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import java.util.SplittableRandom;

/**
 * Ranks 0 to n - 1, rank k with a probability proportional to {@code 1 / (k + 1)^theta}. Immutable.
 *
 * <p>The method is that of Gray et al., "Quickly Generating Billion-Record Synthetic Databases",
 * SIGMOD 1994, section 3.2, which YCSB uses too: ranks 0 and 1 are exact, the rest follow a
 * continuous approximation.
 */
final class Zipfian {
  private final long items;
  private final double theta;
  private final double alpha;
  private final double zetaN;
  private final double eta;

  /**
   * @param items at least 2
   * @param theta the skew, between 0 (uniform) and 1, both excluded
   */
  Zipfian(long items, double theta) {
    if (items < 2 || !(theta > 0 && theta < 1)) {
      throw new IllegalArgumentException("zipfian: at least 2 items and 0 < theta < 1");
    }
    this.items = items;
    this.theta = theta;
    alpha = 1 / (1 - theta);
    zetaN = zeta(items, theta);
    eta = (1 - Math.pow(2.0 / items, 1 - theta)) / (1 - zeta(2, theta) / zetaN);
  }

  long next(SplittableRandom random) {
    double u = random.nextDouble();
    double scaled = u * zetaN;
    if (scaled < 1) {
      return 0;
    }
    if (scaled < 1 + Math.pow(0.5, theta)) {
      return 1;
    }
    return Math.min(items - 1, (long) (items * Math.pow(eta * u - eta + 1, alpha)));
  }

  private static double zeta(long n, double theta) {
    double sum = 0;
    for (long i = 1; i <= n; i++) {
      sum += Math.pow((double) i, -theta);
    }
    return sum;
  }
}
