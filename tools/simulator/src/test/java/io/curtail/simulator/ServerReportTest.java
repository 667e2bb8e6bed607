/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server says of itself: what a node of {@code curtail-server} says by as many reads. */
class ServerReportTest {
  @Test
  void should_report_no_queue_when_the_last_that_waits_gets_the_thread_of_the_one_that_ends() {
    Simulation simulation =
        new Simulation(SimulatedScenario.BASE, SimulatedPolicy.named("curtail-single-copy"), 1);
    Server server = simulation.servers[0];
    List<Copy> copies = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Read read = new Read(1_000 + i, simulation.clients[0], 0, 1, 0, new int[] {0, 1, 2});
      Copy copy = new Copy(read, server, 0);
      copies.add(copy);
      server.expect();
      server.on(Server.ARRIVAL, copy);
    }
    assertThat(server.waiting()).isEqualTo(1);
    Copy first = copies.get(0);
    while (first.feedback == null) {
      assertThat(simulation.loop.step()).isTrue();
      first = copies.stream().filter(copy -> copy.feedback != null).findFirst().orElse(first);
    }
    assertThat(first.feedback.waiting()).isZero();
    assertThat(first.feedback.active()).isEqualTo(4);
    assertThat(first.feedback.slots()).isEqualTo(4);
  }
}
