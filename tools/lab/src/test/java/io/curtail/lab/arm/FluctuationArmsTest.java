/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.ScenarioSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FluctuationArmsTest {
  private static final ScenarioSettings SLOW = ScenarioSettings.builder().slowMotion(50).build();

  @Test
  void should_be_as_slow_in_all_that_counts_in_time() {
    assertThat(FluctuationArms.ofNode(ServerMode.C3_RATE, SLOW).settings())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "mode", "rank+rate",
                "refresh_ms", "12500",
                "averaging_ms", "2500",
                "rate_window_ms", "1000",
                "backlog_ms", "250"));
    assertThat(FluctuationArms.ofNode(ServerMode.C3, SLOW).settings())
        .doesNotContainKeys("rate_window_ms", "backlog_ms");
    assertThat(FluctuationArms.ofNode(ServerMode.parse("rank,rate_observe=true"), SLOW).settings())
        .containsEntry("rate_window_ms", "1000");
  }

  @Test
  void should_take_what_an_arm_says_itself() {
    ServerMode own = ServerMode.parse("rank+rate,rate_window_ms=20");
    assertThat(FluctuationArms.ofNode(own, SLOW).settings())
        .containsEntry("rate_window_ms", "20")
        .containsEntry("backlog_ms", "250");
  }

  @Test
  void should_tell_nodes_no_more_than_they_take() {
    ScenarioSettings slower = ScenarioSettings.builder().slowMotion(1_000).build();
    assertThat(FluctuationArms.ofNode(ServerMode.C3_RATE, slower).settings())
        .containsEntry("refresh_ms", "60000")
        .containsEntry("rate_window_ms", "10000")
        .containsEntry("backlog_ms", "1000");
  }
}
