/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyDistributionTest {
  private static final int DRAWS = 400_000;
  private static final int RANKS = 1_000;
  private final SplittableRandom random = new SplittableRandom(42);

  @Test
  void should_follow_the_closed_form_when_zipfian() {
    Zipfian zipfian = new Zipfian(RANKS, KeyDistribution.YCSB_THETA);
    long[] counts = new long[RANKS];
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) zipfian.next(random)]++;
    }
    // Ranks 0 and 1 are exact; the continuous approximation of the rest is off by some percent.
    for (int rank = 0; rank < 2; rank++) {
      assertThat((double) counts[rank] / DRAWS).isCloseTo(expected(rank, rank + 1), within(0.002));
    }
    assertThat(share(counts, 10)).isCloseTo(expected(0, 10), within(0.02));
    assertThat(share(counts, 100)).isCloseTo(expected(0, 100), within(0.02));
  }

  private static double share(long[] counts, int first) {
    double sum = 0;
    for (int rank = 0; rank < first; rank++) {
      sum += counts[rank];
    }
    return sum / DRAWS;
  }

  /** The share of the ranks in closed form. */
  private static double expected(int from, int to) {
    return zeta(from, to) / zeta(0, RANKS);
  }

  private static double zeta(int from, int to) {
    return IntStream.range(from, to)
        .mapToDouble(rank -> Math.pow(rank + 1.0, -KeyDistribution.YCSB_THETA))
        .sum();
  }

  @Test
  void should_scatter_the_hot_keys_when_scrambled() {
    KeyDistribution keys = KeyDistribution.scrambledZipfian(1000, KeyDistribution.YCSB_THETA);
    long[] counts = new long[1000];
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) keys.next(random)]++;
    }
    int hottest = 0;
    for (int key = 0; key < counts.length; key++) {
      hottest = counts[key] > counts[hottest] ? key : hottest;
    }
    assertThat((double) counts[hottest] / DRAWS).isBetween(0.1, 0.16);
    assertThat((double) (counts[0] + counts[1] + counts[2]) / DRAWS).isLessThan(0.1);
  }

  @Test
  void should_draw_every_key_alike_when_uniform() {
    KeyDistribution keys = KeyDistribution.uniform(10);
    long[] counts = new long[10];
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) keys.next(random)]++;
    }
    for (long count : counts) {
      assertThat(count).isBetween(39_000L, 41_000L);
    }
  }

  @Test
  void should_refuse_other_names() {
    assertThatThrownBy(() -> KeyDistribution.named("latest", 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keys: uniform or zipfian, not \"latest\"");
  }
}
