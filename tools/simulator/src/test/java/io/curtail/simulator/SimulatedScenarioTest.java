/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedScenarioTest {
  @ParameterizedTest
  @CsvSource({
    "utilisation, 2.1, capacity",
    "utilisation, -1, above 0",
    "oneWayMillis, -1, oneWayMillis must be from 0",
    "servers, 2.5, whole number",
    "consistency, two, one of one",
    "clients, many, clients",
    "nonsense, 1, no parameter 'nonsense'"
  })
  void should_say_what_is_wrong_in_one_line(String key, String value, String message) {
    assertThatThrownBy(() -> SimulatedScenario.BASE.with(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void should_take_a_file_of_parameters() {
    SimulatedScenario scenario =
        SimulatedScenario.BASE.with(
            ConfigFactory.parseString("servers = 6, sizes = pareto, utilisation = 0.5"));
    assertThat(scenario.changes())
        .isEqualTo(Map.of("servers", 6, "sizes", "pareto", "utilisation", 0.5));
  }

  @Test
  void should_set_every_switch_of_the_authors_model() {
    SimulatedScenario scenario = SimulatedScenario.BASE.with("model", "authors");
    assertThat(scenario.authorsArrivals).isTrue();
    assertThat(scenario.broadcast).isEqualTo(0.1);
    assertThat(scenario.tiesInOrder).isTrue();
    assertThat(scenario.oracleSeesInFlight).isFalse();
  }

  @Test
  void should_have_the_papers_24_cells_and_select_among_them() {
    Experiment sweep = Experiments.named("fluctuation");
    assertThat(sweep.cells()).hasSize(24);
    assertThat(sweep.with(Map.of("intervalMillis", "500", "utilisation", "0.7")).cells())
        .hasSize(2);
    assertThat(
            sweep
                .with(Map.of("intervalMillis", "500", "utilisation", "0.7", "clients", "150"))
                .cells())
        .hasSize(1);
  }
}
