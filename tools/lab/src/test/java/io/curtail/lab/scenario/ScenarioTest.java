/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.lab.cluster.Jit;
import io.curtail.lab.cluster.Networking;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.lab.network.ZoneLatencies;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioTest {
  @Test
  void should_measure_one_and_quorum_when_zones() {
    assertThat(Scenario.named("zones").conditions(Settings.DEFAULT))
        .extracting(condition -> condition.load().consistency().toString())
        .containsExactly("ONE", "QUORUM");
  }

  @Test
  void should_measure_three_rates_when_slow_coordinator() {
    assertThat(Scenario.named("slow-coordinator").conditions(Settings.DEFAULT))
        .hasSize(3)
        .allMatch(Condition::isDisturbed);
  }

  @Test
  void should_find_the_ceiling_when_steady() {
    assertThat(Scenario.named("steady").conditions(Settings.DEFAULT))
        .anyMatch(Condition::findsCeiling);
  }

  @Test
  void should_measure_all_parts_when_c3_vs_snitch() {
    List<Condition> whole = Scenario.named("c3-vs-snitch").conditions(Settings.DEFAULT);
    assertThat(whole)
        .anyMatch(condition -> !condition.isDisturbed() && !condition.findsCeiling())
        .anyMatch(condition -> condition.disturbance() instanceof SlowDisks)
        .anyMatch(condition -> condition.disturbance() instanceof BusyDisks)
        .anyMatch(condition -> condition.disturbance() instanceof Pauses)
        .anyMatch(condition -> condition.load().joiners() != null)
        .allMatch(condition -> condition.blocks() >= 5);
    int parts =
        Scenario.all().stream()
            .filter(scenario -> scenario.name().startsWith("c3-vs-snitch-"))
            .mapToInt(scenario -> scenario.conditions(Settings.DEFAULT).size())
            .sum();
    assertThat(whole).hasSize(parts);
  }

  @Test
  void should_understand_how_servers_are_set() {
    assertThat(ServerMode.parse("stock")).isEqualTo(ServerMode.DYNAMIC_SNITCH);
    assertThat(ServerMode.parse("rank")).isEqualTo(ServerMode.C3);
    assertThat(ServerMode.parse("rank,decay_ms=500").settings())
        .containsEntry("mode", "rank")
        .containsEntry("decay_ms", "500");
    assertThatThrownBy(() -> ServerMode.parse("rank,decay_ms"))
        .hasMessage("server: setting=value expected, not \"decay_ms\"");
  }

  @Test
  void should_take_the_users_choice_over_its_own() {
    Settings settings = settings(2, List.of(50.0, 60.0), "zipfian");
    List<Condition> conditions = Scenario.named("slow-coordinator").conditions(settings);
    assertThat(conditions).extracting(c -> c.load().rateHz()).containsExactly(50.0, 60.0);
    assertThat(conditions).allMatch(condition -> condition.blocks() == 2);
  }

  @Test
  void should_stretch_the_network_when_in_slow_motion() {
    ZoneLatencies stretched = settings(1, List.of(), "uniform", 10).latencies();
    assertThat(stretched.roundTripMicros("A", "B")).isEqualTo(8000);
    assertThat(stretched.roundTripMicros("C", "A")).isEqualTo(3800);
    assertThat(settings(1, List.of(), "uniform", 1).latencies().roundTripMicros("A", "B"))
        .isEqualTo(800);
  }

  @Test
  void should_name_all_scenarios_when_it_knows_none_of_the_name() {
    assertThatThrownBy(() -> Scenario.named("chaos"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("scenario: one of zones, slow-coordinator, paused-node, steady, c3")
        .hasMessageEndingWith("not \"chaos\"");
  }

  @Test
  void should_refuse_what_cannot_be_measured() {
    assertThatThrownBy(() -> settings(0, List.of(), "uniform")).hasMessage("pairs: at least 1");
    assertThatThrownBy(() -> settings(1, List.of(0.0), "uniform"))
        .hasMessage("rate: more than 0 requests a second");
    assertThatThrownBy(() -> settings(1, List.of(), "uniform", 0))
        .hasMessage("slow-motion: a factor between 1 and 100");
    assertThatThrownBy(() -> settings(1, List.of(), "latest")).hasMessageContaining("keys:");
    assertThatThrownBy(() -> Mix.named("Z")).hasMessageContaining("\"Z\"");
    assertThatThrownBy(() -> LoadSpec.consistencyNamed("most")).hasMessageContaining("\"most\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9x", "", "99", "p", "never'; DROP TABLE x"})
  void should_refuse_a_speculative_retry_that_cql_does_not_know(String retry) {
    assertThatThrownBy(() -> settings(1, List.of(100.0), "uniform", 1, Optional.of(retry)))
        .hasMessageContaining("speculative-retry");
  }

  private static Settings settings(int pairs, List<Double> rates, String keys) {
    return settings(pairs, rates, keys, 1);
  }

  private static Settings settings(int pairs, List<Double> rates, String keys, int slowMotion) {
    return settings(pairs, rates, keys, slowMotion, Optional.empty());
  }

  private static Settings settings(
      int pairs,
      List<Double> rates,
      String keys,
      int slowMotion,
      Optional<String> speculativeRetry) {
    return new Settings(
        OptionalInt.empty(),
        Jit.C1,
        Networking.LOOPBACK,
        List.of(),
        slowMotion,
        OptionalInt.of(pairs),
        rates,
        OptionalInt.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.of(keys),
        100,
        speculativeRetry,
        List.of(Policy.STOCK_DEFAULT),
        List.of(ServerMode.DYNAMIC_SNITCH),
        0.1,
        1);
  }
}
