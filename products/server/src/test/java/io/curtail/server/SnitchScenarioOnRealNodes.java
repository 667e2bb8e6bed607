/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.campaign.Progress;
import io.curtail.lab.Campaign;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.Mix;
import io.curtail.lab.scenario.Scenarios;
import io.curtail.report.Json;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * {@code curtail lab run c3-vs-snitch-slow-disk}, small and short: that the arms differ in what
 * they are said to differ in, not how fast they are.
 */
class SnitchScenarioOnRealNodes {
  /** Half a second a read: much slower than nodes whose processors are busy with something else. */
  private static final int SLOW_MOTION = 25;

  private static final ScenarioSettings SETTINGS =
      ScenarioSettings.builder()
          .nodes(3)
          .jit(Jit.C1)
          .slowMotion(SLOW_MOTION)
          .pairs(1)
          .rates(List.of(50.0))
          .seconds(6)
          .mixes(List.of(Mix.C))
          .rows(300)
          .serverModes(
              List.of(
                  ServerMode.DYNAMIC_SNITCH,
                  ServerMode.C3,
                  ServerMode.parse("rank,policy=adaptive-replica-selection")))
          .maxForeignCpuShare(1)
          .seed(7)
          .build();

  @Test
  void should_read_less_from_a_slow_disk_when_curtail_ranks() throws Exception {
    Scenario scenario = Scenarios.named("c3-vs-snitch-slow-disk");
    Campaign campaign = new Campaign(List.of(scenario), SETTINGS, OptionalInt.of(4), Progress.NONE);
    campaign.run();
    JsonNode condition = Json.tree(campaign.report().data()).at("/conditions/0");
    assertThat(condition.at("/arms"))
        .extracting(arm -> arm.at("/arm").asText())
        .containsExactly("dynamic-snitch", "c3", "rank,policy=adaptive-replica-selection");
    for (JsonNode arm : condition.at("/arms")) {
      assertThat(arm.at("/errors").asLong()).isLessThan(arm.at("/requests").asLong() / 2);
      assertThat(arm.at("/readShares")).hasSize(3);
      assertThat(arm.at("/busiestNodeReadsPerSecond").asDouble()).isPositive();
    }
    // The schedule of the requests is fixed, also for a run that a busy machine has repeated.
    for (JsonNode run : condition.at("/runs")) {
      assertThat(run.at("/requests").asLong()).isBetween(200L, 400L);
    }
    // A client that knows nothing sends a third of its requests through the node with that disk.
    double ofRequests = condition.at("/arms/1/touched/disturbedNodeShare").asDouble();
    assertThat(ofRequests).isGreaterThan(0.2);
    assertThat(condition.at("/arms/1/touched/disturbedReadShare").asDouble())
        .as("the share in %s", condition)
        .isLessThan(ofRequests);
  }
}
