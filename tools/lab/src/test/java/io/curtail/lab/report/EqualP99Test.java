/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.curtail.lab.report.EqualP99.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class EqualP99Test {
  private static final List<Point> CURVE =
      List.of(new Point(1_000, 1), new Point(3_000, 2), new Point(4_000, 6), new Point(3_500, 9));

  @Test
  void should_take_the_fastest_point_within_the_bound() {
    assertThat(EqualP99.throughput(CURVE, 2)).isEqualTo(3_000);
    assertThat(EqualP99.throughput(CURVE, 20)).isEqualTo(4_000);
  }

  @Test
  void should_go_part_of_the_way_when_the_bound_is_between_two_points() {
    assertThat(EqualP99.throughput(CURVE, 4)).isCloseTo(3_500, within(1e-9));
  }

  @Test
  void should_be_undefined_when_every_point_is_above_the_bound() {
    assertThat(EqualP99.throughput(CURVE, 0.5)).isNaN();
  }
}
