/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.Networking;
import io.curtail.lab.cluster.Progress;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * The whole way on three real nodes, short: what is measured must be there, not how fast it was.
 */
class CampaignTest {
  static final Settings SETTINGS =
      new Settings(
          OptionalInt.of(3),
          Jit.C1,
          Networking.LOOPBACK,
          List.of(),
          1,
          OptionalInt.of(1),
          List.of(200.0),
          OptionalInt.of(5),
          List.of(),
          List.of(new PauseCycle(2, 3, 1)),
          Optional.of(Mix.A),
          Optional.of("zipfian"),
          300,
          Optional.of("never"),
          List.of(Policy.STOCK_BASIC, Policy.WEIGHTED_LEAST_LOADED),
          Settings.DEFAULT.serverModes(),
          1,
          7);

  @Test
  void should_measure_a_paused_node_with_real_nodes() throws Exception {
    Campaign campaign = new Campaign(List.of(new PausedNode()), SETTINGS, 4, Progress.NONE);
    campaign.run();
    JsonNode condition =
        new ObjectMapper().readTree(campaign.report().toJson()).at("/conditions/0");
    assertThat(condition.at("/arms/0/arm").asText()).isEqualTo("stock-basic");
    for (JsonNode arm : condition.at("/arms")) {
      assertThat(arm.at("/requests").asLong()).isBetween(1_000L, 3_000L);
      assertThat(arm.at("/nodeShares")).hasSize(3);
      assertThat(arm.at("/readShares")).hasSize(3);
      assertThat(arm.at("/percentilesMillisByZone")).hasSize(3);
      assertThat(arm.at("/errors").asLong()).isZero();
    }
    // Basic does not look at the nodes' load, so what it sends to the paused node waits there.
    assertThat(condition.at("/arms/0/touched/stuck").asLong()).isGreaterThan(10);
    assertThat(condition.at("/arms/0/percentilesMillis/max").asDouble()).isGreaterThan(1_000);
    // Nobody is nearer than the nearest zone of the table.
    assertThat(condition.at("/arms/1/percentilesMillis/p50").asDouble()).isGreaterThan(0.15);
    for (JsonNode run : condition.at("/runs")) {
      assertThat(run.at("/quality/delayErrorMedianMillis").isNumber()).isTrue();
    }
  }
}
