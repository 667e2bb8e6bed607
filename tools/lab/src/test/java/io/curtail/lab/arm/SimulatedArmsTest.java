/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.SimulatedArm;
import io.curtail.lab.load.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedArmsTest {
  @ParameterizedTest
  @CsvSource({
    "'stock', dynamic-snitch",
    "'rank', c3-per-slot",
    "'rank,passing=on', c3-per-slot-returned",
    "'rank,passing=on,copies_percent=2', c3-per-slot-returned-hedged",
    "'rank,policy=c3', c3-without-rate-control",
    "'rank,policy=c3,passing=on', c3-without-rate-control-returned",
    "'rank,policy=random,passing=on', random-returned"
  })
  void should_simulate_what_a_mode_does(String mode, String policy) {
    assertThat(simulated(mode).policy()).isEqualTo(policy);
  }

  @Test
  void should_limit_rates_where_the_mode_does() {
    SimulatedArm limited = simulated("rank+rate,policy=c3");
    assertThat(limited.policy()).isEqualTo("c3-without-rate-control");
    assertThat(limited.changes()).containsEntry("rateControl", "cubic");
    assertThat(simulated("rank+rate,rate_window_ms=1000,backlog_ms=250").changes())
        .containsEntry("rateWindowMillis", 1_000.0)
        .containsEntry("backlogMillis", 250.0);
    assertThat(simulated("rank,policy=c3").changes()).doesNotContainKey("rateControl");
  }

  @Test
  void should_simulate_nothing_where_the_simulator_has_no_such_policy() {
    assertThat(simulated("rank,policy=power-of-two,passing=on")).isNull();
  }

  @Test
  void should_simulate_what_a_client_does() {
    SimulatedArm copies = SimulatedArms.of(Policy.ADAPTIVE_HEDGED, 50);
    assertThat(copies.policy()).isEqualTo("adaptive-hedged");
    assertThat(copies.byClients()).isTrue();
    assertThat(copies.changes()).containsEntry("responseMemoryMillis", 2_500.0);
    assertThat(SimulatedArms.of(Policy.stockSpeculative(Duration.ofMillis(1)), 50)).isNull();
  }

  private static SimulatedArm simulated(String mode) {
    return SimulatedArms.of(ServerMode.parse(mode), "never", Duration.ofSeconds(1));
  }
}
