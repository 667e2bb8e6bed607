/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.report.Unit;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void should_say_median_smallest_and_largest_of_what_is_a_number() {
    Spread spread = Spread.of(DoubleStream.of(3, Double.NaN, 1, 2, 10));
    assertThat(spread).isEqualTo(new Spread(2.5, 1, 10, 4));
    assertThat(spread.format(Unit.RATIO::format)).isEqualTo("×2.5 (×1 to ×10)");
  }

  @Test
  void should_be_undefined_when_nothing_is_a_number() {
    assertThat(Spread.of(DoubleStream.of(Double.NaN)).median()).isNaN();
  }
}
