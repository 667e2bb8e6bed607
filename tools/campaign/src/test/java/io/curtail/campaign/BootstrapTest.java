/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.curtail.report.Tile;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class BootstrapTest {
  private static final int EXPERIMENTS = 300;
  private final SplittableRandom random = new SplittableRandom(11);

  @Test
  void should_know_the_normal_distribution() {
    assertThat(Normal.cumulative(0)).isCloseTo(0.5, within(1e-7));
    assertThat(Normal.cumulative(1.959964)).isCloseTo(0.975, within(1e-6));
    assertThat(Normal.quantile(0.025)).isCloseTo(-1.959964, within(1e-5));
  }

  /** The nominal 95 % are reached from below as samples grow; with 30 about 93 % are expected. */
  @Test
  void should_cover_the_mean_of_a_normal_distribution() {
    assertThat(coverage(30, () -> 5 + random.nextGaussian(), 5)).isBetween(0.89, 0.98);
  }

  /** Skewed, which is what the acceleration is for. */
  @Test
  void should_cover_the_mean_of_an_exponential_distribution() {
    assertThat(coverage(40, () -> -Math.log(1 - random.nextDouble()), 1)).isBetween(0.88, 0.98);
  }

  private double coverage(int samples, DoubleSupplier distribution, double truth) {
    int covered = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
      double[] values = new double[samples];
      for (int j = 0; j < samples; j++) {
        values[j] = distribution.getAsDouble();
      }
      covered += Bootstrap.mean(values, i).excludes(truth) ? 0 : 1;
    }
    return (double) covered / EXPERIMENTS;
  }

  @Test
  void should_be_as_wide_as_theory_says() {
    double[] values = new double[200];
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextGaussian();
      sum += values[i];
      squares += values[i] * values[i];
    }
    double mean = sum / values.length;
    double standardError = Math.sqrt((squares / values.length - mean * mean) / values.length);
    Interval interval = Bootstrap.mean(values, 1);
    assertThat(interval.high() - interval.low())
        .isCloseTo(2 * 1.96 * standardError, within(0.15 * standardError));
  }

  @Test
  void should_repeat_when_the_seed_is_the_same() {
    double[] values = {1, 2, 4, 8, 3};
    assertThat(Bootstrap.mean(values, 5)).isEqualTo(Bootstrap.mean(values, 5));
  }

  @Test
  void should_have_no_interval_when_there_is_one_block() {
    Interval interval = Bootstrap.mean(new double[] {3}, 1);
    assertThat(interval.estimate()).isEqualTo(3);
    assertThat(interval.low()).isNaN();
    assertThat(interval.excludes(100)).isFalse();
  }

  @Test
  void should_divide_block_by_block() {
    Interval ratio = Bootstrap.ratio(new double[] {2, 20, 8}, new double[] {1, 10, 4}, 1);
    assertThat(ratio.estimate()).isCloseTo(2, within(1e-9));
    assertThat(ratio.samples()).isEqualTo(3);
    assertThat(ratio.excludes(1)).isTrue();
    assertThat(ratio.tone(true)).isEqualTo(Tile.Tone.GOOD);
    assertThat(ratio.tone(false)).isEqualTo(Tile.Tone.BAD);
  }

  /** As the pauses of a run, which may be none: the blocks without are the best of one arm. */
  @Test
  void should_divide_the_sums_when_a_block_has_nothing() {
    double[] of = {1, 2, 3, 3, 3};
    double[] by = {0, 2, 0, 3, 3};
    Interval ratio = Bootstrap.ratio(of, by, 1);
    assertThat(ratio.estimate()).isEqualTo(12 / 8.0);
    assertThat(ratio.samples()).isEqualTo(5);
    assertThat(ratio.tone(false)).isNotEqualTo(Tile.Tone.GOOD);
    assertThat(Bootstrap.ratio(new double[] {0}, new double[] {0}, 1).estimate()).isNaN();
  }

  /** As a throughput at a latency that one block never has. */
  @Test
  void should_have_no_ratio_when_a_block_lacks_its_number() {
    Interval ratio = Bootstrap.ratio(new double[] {2, Double.NaN, 3}, new double[] {1, 1, 1}, 1);
    assertThat(ratio.estimate()).isNaN();
    assertThat(ratio.excludes(1)).isFalse();
  }

  @Test
  void should_weigh_a_block_by_its_size_when_sums_are_divided() {
    double[][] blocks = {{1, 10}, {30, 100}, {2, 10}};
    Interval ratio = Bootstrap.ratioOfSums(blocks, 1);
    assertThat(ratio.estimate()).isEqualTo(33 / 120.0);
    assertThat(ratio.low()).isBetween(0.1, ratio.estimate());
    assertThat(ratio.high()).isBetween(ratio.estimate(), 0.3);
  }
}
