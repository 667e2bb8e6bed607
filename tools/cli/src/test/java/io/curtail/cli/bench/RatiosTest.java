/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RatiosTest {
  @Test
  void should_take_the_median_of_the_pairs_and_not_of_each_side() {
    Ratios ratios = new Ratios(new double[] {2, 30, 8}, new double[] {1, 10, 2});
    assertThat(ratios.median()).isEqualTo(3);
    assertThat(ratios.row("rate", 1))
        .containsExactly("rate", "2.00", "8.00", "3.00", "2.00", "4.00");
  }

  @Test
  void should_take_the_mean_of_the_two_in_the_middle_when_pairs_are_even() {
    assertThat(new Ratios(new double[] {1, 3}, new double[] {1, 1}).median()).isEqualTo(2);
  }
}
