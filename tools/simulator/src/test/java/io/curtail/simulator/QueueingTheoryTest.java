/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** One server, no network: the model against closed forms. */
class QueueingTheoryTest {
  private static final double UTILISATION = 0.7;
  private static final double SERVICE = 2;

  private static double meanMillis(int slots, String sizes) {
    SimulatedScenario scenario =
        SimulatedScenario.BASE
            .with(
                Map.of(
                    "servers",
                    1,
                    "replicationFactor",
                    1,
                    "clients",
                    1,
                    "oneWayMillis",
                    0,
                    "slots",
                    slots,
                    "intervalMillis",
                    0,
                    "serviceMillis",
                    SERVICE,
                    "speedFactor",
                    1,
                    "sizes",
                    sizes))
            .with(Map.of("utilisation", UTILISATION, "requests", 1_000_000));
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named("random"), 1);
    simulation.run();
    return simulation.measured.meanMillis();
  }

  @Test
  void should_match_m_m_1() {
    assertThat(meanMillis(1, "exponential"))
        .isCloseTo(SERVICE / (1 - UTILISATION), withPercentage(2));
  }

  @Test
  void should_match_m_d_1_by_pollaczek_and_khinchine() {
    double wait = UTILISATION * SERVICE / (2 * (1 - UTILISATION));
    assertThat(meanMillis(1, "deterministic")).isCloseTo(SERVICE + wait, withPercentage(2));
  }

  @Test
  void should_match_m_g_1_with_two_sizes() {
    double small = SERVICE / 1.45;
    double secondMoment = 0.95 * small * small + 0.05 * 100 * small * small;
    double wait = UTILISATION / SERVICE * secondMoment / (2 * (1 - UTILISATION));
    assertThat(meanMillis(1, "bimodal")).isCloseTo(SERVICE + wait, withPercentage(3));
  }

  @Test
  void should_match_m_m_c_by_erlang_c() {
    int slots = 4;
    double load = UTILISATION * slots;
    double sum = 0;
    double term = 1;
    for (int k = 0; k < slots; k++) {
      sum += term;
      term *= load / (k + 1);
    }
    double queued = term / (1 - UTILISATION);
    double probabilityOfWaiting = queued / (sum + queued);
    double wait = probabilityOfWaiting * SERVICE / (slots * (1 - UTILISATION));
    assertThat(meanMillis(slots, "exponential")).isCloseTo(SERVICE + wait, withPercentage(2));
  }
}
