/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.curtail.lab.hooks.Medium;
import io.curtail.lab.hooks.StoragePlan;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoragePlanTest {
  private static final StoragePlan PLAN =
      new StoragePlan(1, 1, 7, 1_000, 120_000_000, 3, 1_500_000_000, Medium.EXPONENTIAL);

  @Test
  void should_be_fast_half_of_the_time_and_independently_of_other_nodes() {
    StoragePlan other = PLAN.ofNode(2);
    long fast = LongStream.range(0, 10_000).filter(PLAN::isFast).count();
    long both = LongStream.range(0, 10_000).filter(PLAN::isFast).filter(other::isFast).count();
    assertThat(fast).isBetween(4_800L, 5_200L);
    assertThat(both).isBetween(2_300L, 2_700L);
  }

  /** The mean of the squares tells how much reads differ; of an exponential it is 2. */
  @ParameterizedTest
  @CsvSource({"EXPONENTIAL, 2", "SPINNING_DISK, 4.43", "SSD, 10.82", "SKEWED_ROWS, 4"})
  void should_draw_times_of_the_medium(Medium medium, double meanSquare) {
    StoragePlan plan = new StoragePlan(1, 1, 7, 1_000, 120_000_000, 3, 1_500_000_000, medium);
    double[] units =
        IntStream.range(0, 500_000).mapToDouble(n -> plan.unit(n / 5, n % 5)).toArray();
    double square = Arrays.stream(units).map(unit -> unit * unit).average().orElse(0);
    assertThat(Arrays.stream(units).average().orElse(0)).isCloseTo(1, withPercentage(2));
    assertThat(square).isCloseTo(meanSquare, withPercentage(4));
  }

  @Test
  void should_give_a_row_one_size_at_all_nodes() {
    StoragePlan plan =
        new StoragePlan(1, 1, 7, 1_000, 120_000_000, 3, 1_500_000_000, Medium.SKEWED_ROWS);
    double here = IntStream.range(0, 20_000).mapToDouble(n -> plan.unit(3, n)).average().orElse(0);
    double there =
        IntStream.range(0, 20_000).mapToDouble(n -> plan.ofNode(2).unit(3, n)).average().orElse(0);
    assertThat(here).isCloseTo(there, withPercentage(4)).isNotCloseTo(1, withPercentage(4));
  }

  @Test
  void should_change_the_mean_threefold_at_the_intervals() {
    assertThat(PLAN.interval(0)).isZero();
    assertThat(PLAN.interval(1_000 + 1_499_999_999L)).isZero();
    assertThat(PLAN.interval(1_000 + 1_500_000_000L)).isEqualTo(1);
    assertThat(LongStream.range(0, 50).mapToObj(PLAN::meanNanos).distinct())
        .containsExactlyInAnyOrder(120e6, 40e6);
  }

  @Test
  void should_depend_on_seed_and_node_and_on_no_clock() {
    StoragePlan later =
        new StoragePlan(9, 1, 7, 5_000, 120_000_000, 3, 1_500_000_000, Medium.EXPONENTIAL);
    StoragePlan other =
        new StoragePlan(1, 1, 8, 1_000, 120_000_000, 3, 1_500_000_000, Medium.EXPONENTIAL);
    assertThat(later.unit(3, 0)).isEqualTo(PLAN.unit(3, 0));
    assertThat(other.unit(3, 0)).isNotEqualTo(PLAN.unit(3, 0));
    assertThat(PLAN.ofNode(2).unit(3, 0)).isNotEqualTo(PLAN.unit(3, 0));
    assertThat(PLAN.unit(3, 1)).isNotEqualTo(PLAN.unit(3, 0));
  }
}
