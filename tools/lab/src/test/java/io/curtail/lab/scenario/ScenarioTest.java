/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.curtail.lab.cluster.Networking;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.disturbance.Disturbance;
import io.curtail.lab.disturbance.PausingNode;
import io.curtail.lab.disturbance.RisingDelay;
import io.curtail.lab.disturbance.SlowDisks;
import io.curtail.lab.disturbance.SlowDisksInTurn;
import io.curtail.lab.experiment.Choice;
import io.curtail.lab.experiment.Condition;
import io.curtail.lab.experiment.PauseCycle;
import io.curtail.lab.experiment.Scenario;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.ScenarioSettingsBuilder;
import io.curtail.lab.load.LoadSpec;
import io.curtail.lab.load.Mix;
import io.curtail.lab.load.Policy;
import io.curtail.lab.network.ZoneLatencies;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioTest {
  @Test
  void should_measure_one_and_quorum_when_zones() {
    assertThat(Scenarios.named("zones").conditions(ScenarioSettings.DEFAULT))
        .extracting(condition -> condition.load().consistency().toString())
        .containsExactly("ONE", "QUORUM");
  }

  @Test
  void should_measure_three_rates_when_slow_coordinator() {
    assertThat(Scenarios.named("slow-coordinator").conditions(ScenarioSettings.DEFAULT))
        .hasSize(3)
        .allMatch(Condition::isDisturbed);
  }

  @Test
  void should_find_the_ceiling_when_steady() {
    assertThat(Scenarios.named("steady").conditions(ScenarioSettings.DEFAULT))
        .anyMatch(Condition::findsCeiling);
  }

  @Test
  void should_measure_all_parts_when_c3_vs_snitch() {
    List<Condition> whole = Scenarios.named("c3-vs-snitch").conditions(ScenarioSettings.DEFAULT);
    assertThat(whole)
        .anyMatch(condition -> !condition.isDisturbed() && !condition.findsCeiling())
        .anyMatch(condition -> condition.disturbance() instanceof SlowDisks)
        .anyMatch(condition -> condition.disturbance() instanceof SlowDisksInTurn)
        .anyMatch(condition -> condition.disturbance() instanceof PausingNode)
        .anyMatch(condition -> condition.load().joiners() != null)
        .allMatch(condition -> condition.blocks() >= 5);
    int parts =
        Scenarios.all().stream()
            .filter(scenario -> scenario.name().startsWith("c3-vs-snitch-"))
            .mapToInt(scenario -> scenario.conditions(ScenarioSettings.DEFAULT).size())
            .sum();
    assertThat(whole).hasSize(parts);
  }

  @Test
  void should_load_a_share_of_what_the_nodes_serve_when_fluctuation() {
    ScenarioSettings settings =
        ScenarioSettings.builder().slowMotion(50).nodes(6).intervals(List.of(10)).build();
    // Six nodes, four threads, ten reads a second each on average over 200 ms and a third of that.
    assertThat(Scenarios.named("fluctuation").conditions(settings))
        .extracting(condition -> Math.round(condition.load().rateHz()))
        .containsExactly(108L, 168L, 264L);
    assertThat(Scenarios.named("fluctuation").conditions(settings))
        .allMatch(condition -> condition.fluctuation().interval().toMillis() == 500);
  }

  @Test
  void should_load_as_the_paper_did_when_workloads() {
    ScenarioSettings settings = ScenarioSettings.builder().slowMotion(40).build();
    List<Condition> conditions = Scenarios.named("c3-workloads").conditions(settings);
    // Eight generators for each of nine nodes, at first 48 where others join.
    assertThat(conditions)
        .filteredOn(Condition::findsCeiling)
        .extracting(condition -> condition.load().outstanding())
        .containsExactly(72, 72, 72, 72, 72, 48);
    // Which only their storage tells apart: no chart over the number of clients.
    assertThat(conditions.get(0).differsOnlyInClients(conditions.get(3))).isFalse();
    assertThat(Scenarios.named("c3-workloads-joining").conditions(settings))
        .singleElement()
        .matches(condition -> condition.load().joiners().generators() == 24);
    // Four threads a node, 80 ms a read.
    assertThat(Scenarios.named("c3-workloads-well").conditions(settings))
        .extracting(condition -> Math.round(condition.load().rateHz()))
        .containsExactly(203L, 315L);
  }

  @Test
  void should_slow_a_node_step_by_step_when_small_faults() {
    ScenarioSettings settings = ScenarioSettings.builder().slowMotion(40).build();
    List<Condition> conditions = Scenarios.named("small-faults").conditions(settings);
    assertThat(conditions).extracting(c -> c.load().mix()).containsExactly(Mix.C, Mix.A);
    for (Condition condition : conditions) {
      assertThat(condition.findsCeiling()).isTrue();
      RisingDelay rising = condition.rising().orElseThrow();
      assertThat(rising.delays()).hasSize(6).contains(Duration.ofMillis(4), Duration.ofSeconds(2));
      assertThat(condition.load().length()).isEqualTo(Duration.ofSeconds(28));
      assertThat(rising.counted(0)).isEqualTo(new Disturbance.Span(1, 4));
      assertThat(rising.counted(6)).isEqualTo(new Disturbance.Span(25, 28));
    }
  }

  @Test
  void should_refuse_nodes_that_do_not_hear_each_other_late() {
    assertThatThrownBy(() -> Scenarios.named("small-faults-server").conditions(small().build()))
        .hasMessageContaining("needs --network NAMESPACES");
    assertThat(Scenarios.named("small-faults-disk-server").conditions(small().build())).hasSize(2);
  }

  /** Of the scenarios that refuse it, those that ask nodes nothing through JMX do not. */
  @Test
  void should_take_nodes_that_jmx_does_not_reach_where_nothing_asks_them() {
    ScenarioSettings settings = small().networking(Networking.NAMESPACES).build();
    for (String name : List.of("zones", "rough-day-restarts", "c3-workloads-mixes")) {
      assertThat(Scenarios.named(name).conditions(settings)).as(name).isNotEmpty();
    }
    ScenarioSettings withoutSnitch =
        small()
            .networking(Networking.NAMESPACES)
            .serverModes(List.of(ServerMode.parse("off"), ServerMode.C3))
            .build();
    assertThat(Scenarios.named("c3-vs-snitch-well").conditions(withoutSnitch)).isNotEmpty();
  }

  @Test
  void should_load_as_the_trouble_asks_when_rough_day() {
    ScenarioSettings settings = ScenarioSettings.builder().slowMotion(50).build();
    // Six nodes, four threads, 50 ms a read: 480 a second; three of them serve the hot row.
    assertThat(Scenarios.named("rough-day").conditions(settings))
        .extracting(condition -> Math.round(condition.load().rateHz()))
        .containsExactly(240L, 240L, 192L, 330L, 192L, 624L);
    assertThat(Scenarios.named("rough-day-restarts").conditions(settings))
        .singleElement()
        .matches(condition -> condition.disturbance().beginSeconds() == 6);
  }

  @Test
  void should_understand_how_servers_are_set() {
    assertThat(ServerMode.parse("stock")).isEqualTo(ServerMode.DYNAMIC_SNITCH);
    assertThat(ServerMode.parse("rank")).isEqualTo(ServerMode.C3);
    assertThat(ServerMode.parse("rank+rate")).isEqualTo(ServerMode.C3_RATE);
    assertThat(ServerMode.parse("rank,passing=on")).isEqualTo(ServerMode.C3_PASSING);
    assertThat(ServerMode.parse("stock,speculative_retry=99p"))
        .isEqualTo(ServerMode.DYNAMIC_SNITCH_99P);
    assertThat(ServerMode.parse("rank,refresh_ms=500").settings())
        .containsEntry("mode", "rank")
        .containsEntry("refresh_ms", "500");
    assertThatThrownBy(() -> ServerMode.parse("rank,refresh_ms"))
        .hasMessage("server: setting=value expected, not \"refresh_ms\"");
    assertThatThrownBy(() -> ServerMode.parse("stock,passing=on"))
        .hasMessage(
            "server: stock has no setting but speculative_retry, not as in \"stock,passing=on\"");
  }

  @Test
  void should_take_the_users_choice_over_its_own() {
    ScenarioSettings settings = small().pairs(2).rates(List.of(50.0, 60.0)).build();
    List<Condition> conditions = Scenarios.named("slow-coordinator").conditions(settings);
    assertThat(conditions).extracting(c -> c.load().rateHz()).containsExactly(50.0, 60.0);
    assertThat(conditions).allMatch(condition -> condition.blocks() == 2);
  }

  @Test
  void should_measure_every_mix_that_the_user_names() {
    ScenarioSettings settings = small().mixes(List.of(Mix.A, Mix.W)).build();
    assertThat(Scenarios.named("zones").conditions(settings))
        .extracting(condition -> condition.load().mix())
        .containsExactly(Mix.A, Mix.W, Mix.A, Mix.W);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TABLE", "HEAP", "OFF_HEAP", "MEMORY", "PARAMETER"})
  void should_look_at_the_choices_it_names(Choice choice) {
    ScenarioSettingsBuilder settings = small().keys("uniform");
    ScenarioSettingsBuilder before = small().keys("uniform");
    switch (choice) {
      case RATE -> settings.rates(List.of(7.0));
      case CONSISTENCY -> settings.consistencies(List.of(DefaultConsistencyLevel.TWO));
      case MIX -> settings.mixes(List.of(Mix.W));
      case CLIENTS -> settings.clients(List.of(7));
      case KEYS -> settings.keys("zipfian");
      case POLICY -> settings.policies(List.of(Policy.ADAPTIVE));
      case SERVER -> settings.serverModes(List.of(ServerMode.C3));
      case INTERVAL -> settings.intervals(List.of(7));
      case DELAY -> settings.delays(List.of(Duration.ofMillis(7)));
      case PAUSE -> settings.pauseCycles(List.of(PauseCycle.parse("20/30")));
      default -> throw new AssertionError(choice);
    }
    for (Scenario scenario : Scenarios.all()) {
      Networking network =
          scenario.name().equals("small-faults-server")
              ? Networking.NAMESPACES
              : Networking.LOOPBACK;
      List<String> now = whatIsRun(scenario, settings.networking(network).build());
      assertThat(!whatIsRun(scenario, before.networking(network).build()).equals(now))
          .as(scenario.name())
          .isEqualTo(scenario.choices().contains(choice));
    }
  }

  private static List<String> whatIsRun(Scenario scenario, ScenarioSettings settings) {
    return scenario.conditions(settings).stream()
        .map(
            condition ->
                List.of(
                        scenario.arms().count(settings),
                        condition.label(),
                        condition.load().withKeys(null),
                        condition.load().keys().getClass(),
                        condition.rising().map(RisingDelay::delays))
                    .toString())
        .toList();
  }

  @Test
  void should_take_one_mode_of_all_nodes_where_clients_are_compared() {
    Scenario zones = Scenarios.named("zones");
    ScenarioSettings with = small().serverModes(List.of(ServerMode.C3_PASSING)).build();
    assertThat(zones.conditions(with).get(0).label()).contains("nodes c3-passing");
    assertThat(zones.arms().difference(with)).contains("{mode=rank, passing=on}");
    assertThat(zones.arms().difference(small().build())).startsWith("The nodes are stock");

    ScenarioSettings two =
        small().serverModes(List.of(ServerMode.C3, ServerMode.C3_PASSING)).build();
    assertThatThrownBy(() -> zones.conditions(two)).hasMessageContaining("one mode");
    ScenarioSettings stock = small().serverModes(List.of(ServerMode.DYNAMIC_SNITCH)).build();
    assertThatThrownBy(() -> zones.conditions(stock)).hasMessageContaining("without --server");
  }

  @Test
  void should_stretch_the_network_when_in_slow_motion() {
    ZoneLatencies stretched = small().slowMotion(10).build().latencies();
    assertThat(stretched.roundTripMicros("A", "B")).isEqualTo(8000);
    assertThat(stretched.roundTripMicros("C", "A")).isEqualTo(3800);
    assertThat(small().build().latencies().roundTripMicros("A", "B")).isEqualTo(800);
  }

  @Test
  void should_name_all_scenarios_when_it_knows_none_of_the_name() {
    assertThatThrownBy(() -> Scenarios.named("chaos"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "scenario: one of zones, slow-coordinator, paused-node, steady, small")
        .hasMessageEndingWith("not \"chaos\"");
  }

  @Test
  void should_refuse_what_cannot_be_measured() {
    assertThatThrownBy(() -> small().pairs(0).build()).hasMessage("pairs: at least 1");
    assertThatThrownBy(() -> small().rates(List.of(0.0)).build())
        .hasMessage("rate: more than 0 requests a second");
    assertThatThrownBy(() -> small().slowMotion(0).build())
        .hasMessage("slow-motion: a factor between 1 and 1000");
    assertThatThrownBy(() -> small().keys("latest").build()).hasMessageContaining("keys:");
    assertThatThrownBy(() -> ServerMode.parse("rnk,refresh_ms=500"))
        .hasMessageContaining("\"rnk\"");
    assertThatThrownBy(() -> LoadSpec.consistencyNamed("most")).hasMessageContaining("\"most\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"9x", "", "99", "p", ".p", "0p", "0.0p", "100p", "150p", "1.2.3p", "0ms", "x'; y"})
  void should_refuse_a_speculative_retry_that_cql_does_not_know(String retry) {
    assertThatThrownBy(() -> small().speculativeRetry(retry).build())
        .hasMessageContaining("speculative-retry");
    assertThatThrownBy(() -> ServerMode.parse("stock,speculative_retry=" + retry))
        .hasMessageContaining("server: speculative_retry: never, always, or as in 99p");
  }

  @ParameterizedTest
  @CsvSource({
    "99P, 99p",
    "NEVER, never",
    "Always, always",
    "99.9p, 99.9p",
    "0.5p, 0.5p",
    "20MS, 20ms"
  })
  void should_know_a_speculative_retry_in_any_case(String retry, String known) {
    assertThat(small().speculativeRetry(retry).build().speculativeRetry()).hasValue(known);
    assertThat(ServerMode.parse("rank,speculative_retry=" + retry).settings())
        .containsEntry("speculative_retry", known);
  }

  private static ScenarioSettingsBuilder small() {
    return ScenarioSettings.builder().pairs(1).rows(100);
  }
}
