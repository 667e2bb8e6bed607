/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The claims that the documentation makes, on a small scale; the battery is `curtail simulate`. */
class GateTest {
  private static final Map<String, Measured> MEASURED = new HashMap<>();

  @BeforeAll
  static void simulate() {
    SimulatedScenario cell =
        SimulatedScenario.BASE.with("requests", 250_000).with("warmUpMillis", 500);
    for (String policy :
        new String[] {
          "curtail",
          "c3",
          "least-outstanding",
          "dynamic-snitch",
          "round-robin-rate-controlled",
          "power-of-two",
          "peak-ewma",
          "prequal",
          "weighted-least-loaded",
          "adaptive-replica-selection",
          "oracle"
        }) {
      Simulation simulation = new Simulation(cell, SimulatedPolicy.named(policy), 1);
      simulation.run();
      MEASURED.put(policy, simulation.measured);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"least-outstanding", "dynamic-snitch", "round-robin-rate-controlled"})
  void should_reproduce_that_c3_beats_the_papers_rivals(String rival) {
    assertThat(p999("c3")).isLessThan(p999(rival));
    assertThat(MEASURED.get("c3").percentileMillis(99))
        .isLessThan(MEASURED.get(rival).percentileMillis(99));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c3",
        "least-outstanding",
        "dynamic-snitch",
        "power-of-two",
        "peak-ewma",
        "prequal",
        "weighted-least-loaded",
        "adaptive-replica-selection"
      })
  void should_beat_every_rival(String rival) {
    Measured own = MEASURED.get("curtail");
    assertThat(own.percentileMillis(99.9)).isLessThan(p999(rival));
    assertThat(own.percentileMillis(99)).isLessThan(MEASURED.get(rival).percentileMillis(99));
    assertThat(own.meanMillis()).isLessThan(MEASURED.get(rival).meanMillis());
    assertThat(own.extraWork()).isLessThan(0.04);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1.3})
  void should_come_close_to_the_oracle(double factor) {
    assertThat(p999("curtail")).isLessThan(factor * p999("oracle"));
  }

  private static double p999(String policy) {
    return MEASURED.get(policy).percentileMillis(99.9);
  }
}
