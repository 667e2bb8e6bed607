/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.experiment.PauseCycle;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.lab.scenario.PausedNodeScenario;
import io.curtail.report.Json;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * The whole way on three real nodes, short: what is measured must be there, not how fast it was.
 */
class CampaignTest {
  static final ScenarioSettings SETTINGS =
      ScenarioSettings.builder()
          .nodes(3)
          .jit(Jit.C1)
          .pairs(1)
          .rates(List.of(100.0))
          .seconds(5)
          .pauseCycles(List.of(new PauseCycle(Duration.ofSeconds(2), Duration.ofSeconds(3), 1)))
          .mixes(List.of(Mix.A))
          .keys("zipfian")
          .rows(300)
          .policies(List.of(Policy.STOCK_BASIC, Policy.WEIGHTED_LEAST_LOADED))
          .maxForeignCpuShare(1)
          .seed(7)
          .build();

  @Test
  void should_measure_a_paused_node_with_real_nodes() throws Exception {
    Campaign campaign =
        new Campaign(List.of(new PausedNodeScenario()), SETTINGS, OptionalInt.of(4), Progress.NONE);
    campaign.run();
    JsonNode condition = Json.tree(campaign.report().data()).at("/conditions/0");
    assertThat(condition.at("/arms/0/arm").asText()).isEqualTo("stock-basic");
    for (JsonNode arm : condition.at("/arms")) {
      assertThat(arm.at("/nodeShares")).hasSize(3);
      assertThat(arm.at("/readShares")).hasSize(3);
      // Half are writes: two messages to the other replicas, and two answers.
      assertThat(arm.at("/messages").asDouble()).isGreaterThan(1);
      assertThat(arm.at("/percentilesMillisByZone")).hasSize(3);
      assertThat(arm.at("/errors").asLong()).isLessThan(arm.at("/requests").asLong() / 2);
    }
    // Basic does not look at the nodes' load, so what it sends to the paused node waits there.
    assertThat(condition.at("/arms/0/touched/stuck").asLong()).isGreaterThan(10);
    assertThat(condition.at("/arms/0/percentilesMillis/max").asDouble()).isGreaterThan(1_000);
    // Nobody is nearer than the nearest zone of the table.
    assertThat(condition.at("/arms/1/percentilesMillis/p50").asDouble()).isGreaterThan(0.15);
    for (JsonNode run : condition.at("/runs")) {
      assertThat(run.at("/requests").asLong()).isBetween(400L, 1_500L);
      assertThat(run.at("/quality/delayErrorMedianMillis").isNumber()).isTrue();
    }
  }
}
