/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineChartTest {
  private static final int WIDTH = 800;

  @Test
  void should_show_a_dot_when_a_series_has_one_point() {
    assertThat(chart(Series.of("c3", new double[] {50}, new double[] {60})).svg(WIDTH))
        .containsOnlyOnce("<circle class=\"dot s1\"");
  }

  @Test
  void should_show_the_interval_when_the_only_point_has_one() {
    Series point =
        Series.of("c3", new double[] {50}, new double[] {60})
            .band(new double[] {55}, new double[] {70});
    assertThat(chart(point).svg(WIDTH)).containsOnlyOnce("<line class=\"interval s1\"");
  }

  @Test
  void should_show_a_dot_when_a_point_stands_between_gaps() {
    Series gaps =
        Series.of(
            "c3",
            new double[] {10, 20, 30, 40, 50},
            new double[] {1, Double.NaN, 2, Double.NaN, 3});
    assertThat(chart(gaps).svg(WIDTH).split("<circle", -1)).hasSize(4);
  }

  @Test
  void should_show_no_dot_when_points_have_neighbours() {
    Series line = Series.of("c3", new double[] {10, 20}, new double[] {1, 2});
    assertThat(chart(line).svg(WIDTH)).doesNotContain("<circle");
  }

  @Test
  void should_put_a_single_value_inside_a_logarithmic_axis() {
    LogScale scale = LogScale.covering(50, 50);
    assertThat(scale.position(50)).isBetween(0.2, 0.8);
    assertThat(scale.ticks(6)).contains(50.0).hasSizeGreaterThan(1);
  }

  @Test
  void should_lead_from_where_a_curve_ends_to_its_name() {
    double[] x = {10, 20, 50};
    Series whole = Series.of("c3", x, new double[] {1, 2, 3});
    Series shorter = Series.of("random", x, new double[] {4, 5, Double.NaN});
    String figure = chart(whole).add(shorter).svg(WIDTH);
    assertThat(figure.split("<line class=\"leader s1\"", -1)).hasSize(2);
    assertThat(figure.split("<line class=\"leader s2\"", -1)).hasSize(3);
  }

  private static LineChart chart(Series series) {
    return new LineChart(
            "p99.9",
            Axis.logarithmic("T", Unit.MILLISECONDS),
            Axis.linear("p99.9", Unit.MILLISECONDS))
        .add(series);
  }
}
