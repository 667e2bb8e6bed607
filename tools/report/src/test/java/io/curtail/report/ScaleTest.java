/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ScaleTest {
  @Test
  void should_end_at_a_round_number_above_the_data_when_linear() {
    LinearScale scale = LinearScale.covering(0, 9.3);
    assertThat(scale.highest()).isEqualTo(10);
    assertThat(scale.ticks(5)).containsExactly(0.0, 2.0, 4.0, 6.0, 8.0, 10.0);
    assertThat(scale.position(5)).isEqualTo(0.5);
    assertThat(scale.position(11)).isEqualTo(1);
  }

  @Test
  void should_have_a_range_when_all_data_are_equal() {
    assertThat(LinearScale.covering(3, 3).highest()).isGreaterThan(3);
    assertThat(LogScale.covering(2, 2).highest()).isGreaterThan(LogScale.covering(2, 2).lowest());
    assertThat(LogScale.covering(0, 0).position(0)).isZero();
  }

  @Test
  void should_give_equal_room_to_equal_ratios_when_logarithmic() {
    LogScale scale = LogScale.covering(0.3, 1900);
    assertThat(scale.lowest()).isEqualTo(0.2, within(1e-12));
    assertThat(scale.highest()).isEqualTo(2000, within(1e-9));
    assertThat(scale.position(20) - scale.position(2))
        .isEqualTo(scale.position(200) - scale.position(20), within(1e-12));
    assertThat(scale.ticks(5)).allSatisfy(t -> assertThat(Math.log10(t) % 1).isZero());
  }

  @Test
  void should_give_each_nine_the_same_room_when_percentile() {
    PercentileScale scale = PercentileScale.covering(99.95);
    assertThat(scale.ticks(9)).containsExactly(50.0, 90.0, 99.0, 99.9, 99.99);
    assertThat(scale.position(90)).isEqualTo(0.25, within(1e-9));
    assertThat(scale.position(99.9)).isEqualTo(0.75, within(1e-9));
  }
}
