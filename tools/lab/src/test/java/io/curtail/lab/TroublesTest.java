/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.Home;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.ScenarioSettingsBuilder;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.lab.scenario.Scenarios;
import io.curtail.report.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Small faults and the troubles of a rough day, as {@link CampaignTest}. */
class TroublesTest {
  @Test
  void should_tell_what_each_delay_costs_when_one_node_gets_slower() throws Exception {
    ScenarioSettings settings =
        ScenarioSettingsBuilder.builder(CampaignTest.SETTINGS)
            .slowMotion(10)
            .delays(List.of(Duration.ofMillis(100)))
            .seconds(3)
            .clients(List.of(6))
            .mixes(List.of(Mix.C))
            .keys("uniform")
            .speculativeRetry("never")
            .policies(List.of(Policy.STOCK_BASIC, Policy.ADAPTIVE))
            .build();
    JsonNode conditions = run(settings, "small-faults", "small-faults-disk");
    assertThat(conditions).hasSize(2);
    JsonNode network = conditions.at("/0/lossByDelay");
    assertThat(network).hasSize(2);
    assertThat(network.at("/0/delayMillis").asDouble()).isEqualTo(1_000);
    // A third of its requests wait for a second.
    assertThat(network.at("/0/lost").asDouble()).isGreaterThan(0.3);
    assertThat(network.at("/1/lost").asDouble()).isLessThan(network.at("/0/lost").asDouble());
    assertThat(network.at("/1/verdict").asText()).isNotBlank();
    JsonNode disk = conditions.at("/1");
    assertThat(disk.at("/lossByDelay")).hasSize(2);
    assertThat(disk.at("/arms/0/percentilesMillis/max").asDouble()).isGreaterThan(1_000);
  }

  @Test
  void should_go_through_all_troubles_of_a_rough_day() throws Exception {
    JsonNode conditions = roughDay(4);
    // On a busy machine a node may be told to refuse when a short run is over.
    for (int seconds = 16; seconds <= 64 && refusals(conditions).isEmpty(); seconds *= 4) {
      conditions = roughDay(seconds);
    }
    assertThat(conditions).hasSize(6);
    for (JsonNode condition : conditions) {
      assertThat(condition.at("/harm")).hasSize(1);
      assertThat(condition.at("/harm/0/arm").asText()).isEqualTo("adaptive-hedged");
      assertThat(condition.at("/arms/0/answersPerSecond").asDouble()).isPositive();
    }
    // Both can run it: the simulator knows neither refusals nor restarts.
    for (int part : new int[] {0, 3, 4, 5}) {
      assertThat(simulatedP50(conditions, part, 0)).isBetween(20.0, 200.0);
      assertThat(simulatedP50(conditions, part, 1)).isBetween(20.0, 200.0);
    }
    assertThat(simulatedP50(conditions, 4, 0))
        .as("all slow")
        .isGreaterThan(1.2 * simulatedP50(conditions, 0, 0));
    assertThat(simulatedP50(conditions, 1, 0)).isZero();
    assertThat(conditions.at("/0/arms/0/storage/measuredBySimulated/p50").asDouble()).isPositive();
    assertThat(refusals(conditions)).isNotEmpty();
    long starts = 0;
    for (int node = 1; node <= 3; node++) {
      Path log = lab().resolve("node" + node + "/logs/system.log");
      starts += Files.readString(log).split("Starting listening for CQL clients", -1).length - 1;
    }
    assertThat(starts).as("starts of three nodes").isGreaterThan(3);
  }

  private static JsonNode roughDay(int seconds) throws Exception {
    ScenarioSettings settings =
        ScenarioSettingsBuilder.builder(CampaignTest.SETTINGS)
            .slowMotion(50)
            .rates(List.of(40.0))
            .seconds(seconds)
            .mixes(List.of(Mix.C))
            .policies(List.of(Policy.STOCK_DEFAULT, Policy.ADAPTIVE_HEDGED))
            .build();
    return run(settings, "rough-day");
  }

  private static List<String> refusals(JsonNode conditions) {
    return conditions.at("/1/runs").findValuesAsText("OverloadedException");
  }

  /** In milliseconds, 0 if there is none; a read takes an exponential time of 50 ms. */
  private static double simulatedP50(JsonNode conditions, int condition, int arm) {
    return conditions
        .at("/" + condition + "/arms/" + arm + "/storage/simulatedMillis/p50")
        .asDouble();
  }

  private static Path lab() {
    return Home.find().lab("run-" + ProcessHandle.current().pid());
  }

  private static JsonNode run(ScenarioSettings settings, String... names) throws Exception {
    Campaign campaign =
        new Campaign(
            Stream.of(names).map(Scenarios::named).toList(),
            settings,
            OptionalInt.of(2),
            Progress.NONE);
    campaign.run();
    assertThat(campaign.report().toText()).contains(names);
    return Json.tree(campaign.report().data()).at("/conditions");
  }
}
