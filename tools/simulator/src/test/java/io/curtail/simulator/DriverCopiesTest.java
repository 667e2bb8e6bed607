/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DriverCopiesTest {
  /** Three clients, each in a zone with two of six servers, at two fifths of what those can do. */
  private static final SimulatedScenario CALM =
      SimulatedScenario.BASE
          .with("servers", 6)
          .with("clients", 3)
          .with("zones", 3)
          .with("utilisation", 0.4)
          .with("speedFactor", 1)
          .with("requests", 40_000)
          .with("warmUpMillis", 1_000);

  private static final SimulatedScenario PAUSED =
      CALM.with("pausedServer", 2).with("faultAtMillis", 3_000).with("faultMillis", 1_000);

  private static Measured run(SimulatedScenario scenario, String policy) {
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named(policy), 1);
    simulation.run();
    return simulation.measured;
  }

  private static long longerThanMillis(Measured measured, long millis) {
    return measured.latencyMicros.getCountBetweenValues(millis * 1_000, Long.MAX_VALUE);
  }

  @Test
  void should_leave_few_reads_behind_a_pause() {
    long without = longerThanMillis(run(PAUSED, "adaptive"), 500);
    assertThat(without).as("reads in flight when it stops").isPositive();
    assertThat(longerThanMillis(run(PAUSED, "adaptive-hedged"), 500))
        .isLessThanOrEqualTo(without / 4);
  }

  @Test
  void should_lose_no_read_when_a_server_fails_or_reads_time_out() {
    SimulatedScenario failing =
        PAUSED.with("failingServer", 1).with("timeoutMillis", 30).with("rateControl", "cubic");
    Measured measured = run(failing, "adaptive-hedged");
    assertThat(measured.lost).isZero();
    assertThat(measured.completed).isEqualTo(40_000);
  }

  @Test
  void should_cost_little_when_all_is_well() {
    assertThat(run(CALM, "adaptive").extraWork()).isZero();
    assertThat(run(CALM, "adaptive-hedged").extraWork()).isBetween(0.0001, 0.03);
  }

  @Test
  void should_send_hardly_any_when_there_is_no_room() {
    SimulatedScenario overload = CALM.with("utilisation", 1.3);
    assertThat(run(overload, "adaptive-hedged").extraWork()).isLessThan(0.005);
  }
}
