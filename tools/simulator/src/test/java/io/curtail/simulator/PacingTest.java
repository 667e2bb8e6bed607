/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PacingTest {
  private static final int READS = 200; // of which the rates of three replicas let 30 go at once

  private final List<Read> reads = new ArrayList<>();

  /** Returns when the reads were sent, in the order of their coming, all at the start. */
  private List<Long> sentNanos(double backlogMillis) {
    SimulatedScenario scenario =
        SimulatedScenario.BASE
            .with("servers", 3)
            .with(Map.of("clients", 1, "requests", 1, "backlogMillis", backlogMillis));
    Simulation simulation = new Simulation(scenario, SimulatedPolicy.named("c3"), 1);
    Client client = simulation.clients[0];
    for (int i = 0; i < READS; i++) {
      Read read = new Read(i, client, 0, 1, 0, new int[] {0, 1, 2});
      read.needed = 1;
      client.read(read);
      reads.add(read);
    }
    assertThat(reads.get(0).copies).isOne();
    assertThat(reads.get(READS - 1).copies).isZero();
    while (!reads.stream().allMatch(read -> read.done)) {
      assertThat(simulation.loop.step()).isTrue();
    }
    return reads.stream().map(read -> read.oldest().sentNanos).toList();
  }

  @Test
  void should_send_first_in_first_out() {
    List<Long> sent = sentNanos(0);
    assertThat(sent).isSorted();
    assertThat(sent.get(READS - 1)).isGreaterThan(5_000_000);
  }

  @Test
  void should_send_each_read_when_it_has_waited_as_long_as_it_may() {
    List<Long> sent = sentNanos(5);
    assertThat(sent).isSorted();
    assertThat(sent.get(READS - 1)).isEqualTo(5_000_000);
  }
}
