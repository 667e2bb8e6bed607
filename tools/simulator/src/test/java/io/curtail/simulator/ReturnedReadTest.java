/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import org.junit.jupiter.api.Test;

/** Reads that a server gave back, at their client. */
class ReturnedReadTest {
  private static final Feedback BUSY = new Feedback(9, 4, 4, 4_000_000);

  private final Simulation simulation =
      new Simulation(SimulatedScenario.BASE, SimulatedPolicy.named("curtail-single-copy"), 1);
  private final Client client = simulation.clients[0];
  private final Read read = new Read(1, client, 0, 1, 0, new int[] {0, 1, 2});

  private Server returnedTo(int other) {
    Copy copy = client.send(read, simulation.servers[0]);
    copy.state = Copy.State.DROPPED;
    client.on(Client.RETURNED, new Network.Report(simulation.servers[other], BUSY, copy));
    return read.first.server;
  }

  @Test
  void should_send_a_read_on_to_the_replica_that_is_taken_for_free() {
    assertThat(returnedTo(1).number).isEqualTo(1);
  }

  @Test
  void should_send_a_read_back_when_the_replica_that_is_taken_for_free_owes_answers() {
    client.load(1).onSent();
    assertThat(returnedTo(1).number).isZero();
    assertThat(read.first.route).isNull();
  }
}
