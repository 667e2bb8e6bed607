/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PoissonArrivalsTest {
  private static final int GAPS = 200_000;

  @Test
  void should_have_exponential_gaps() {
    PoissonArrivals arrivals = new PoissonArrivals(500, new SplittableRandom(3));
    double[] millis = new double[GAPS];
    for (int i = 0; i < GAPS; i++) {
      millis[i] = arrivals.nextGapNanos() / 1e6;
    }
    Arrays.sort(millis);
    double largestDistance = 0;
    for (int i = 0; i < GAPS; i++) {
      double exponential = 1 - Math.exp(-millis[i] / 2);
      largestDistance = Math.max(largestDistance, Math.abs(exponential - (i + 0.5) / GAPS));
    }
    // Kolmogorov and Smirnov's bound at 0.1 %.
    assertThat(largestDistance).isLessThan(1.95 / Math.sqrt(GAPS));
    assertThat(Arrays.stream(millis).average().orElse(0)).isCloseTo(2, within(0.02));
  }

  @Test
  void should_repeat_when_the_seed_is_the_same() {
    PoissonArrivals one = new PoissonArrivals(500, new SplittableRandom(3));
    PoissonArrivals other = new PoissonArrivals(500, new SplittableRandom(3));
    for (int i = 0; i < 100; i++) {
      assertThat(one.nextGapNanos()).isEqualTo(other.nextGapNanos());
    }
  }
}
