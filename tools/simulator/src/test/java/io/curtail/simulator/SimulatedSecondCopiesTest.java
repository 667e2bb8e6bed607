/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SimulatedSecondCopiesTest {
  private final Simulation simulation =
      new Simulation(SimulatedScenario.BASE, SimulatedPolicy.named("curtail"), 1);
  private final Client client = simulation.clients[0];
  private final SimulatedSecondCopies copies = new SimulatedSecondCopies(simulation, client);

  private Read read(int number) {
    return new Read(number, client, 0, 1, 0, new int[] {0, 1, 2});
  }

  /** As a node does: a server may drop the copy that it has. */
  @Test
  void should_try_again_when_every_replica_has_a_copy() {
    for (int known = 0; known < 100; known++) {
      copies.onDone(read(known));
    }
    Read slow = read(1_000);
    for (int server = 0; server < 3; server++) {
      client.send(slow, simulation.servers[server]);
    }
    copies.on(0, slow);
    assertThat(slow.copies).isEqualTo(3);
    assertThat(slow.copyTries.made()).isEqualTo(1);
    slow.first.state = Copy.State.DROPPED;
    while (slow.copies == 3) {
      assertThat(simulation.loop.step()).isTrue();
    }
    assertThat(slow.first.ifBusy).isEqualTo(Copy.IfBusy.DROPPED);
    assertThat(slow.first.server).isSameAs(simulation.servers[2]);
  }

  /** Of what fails only the read itself goes to another server. */
  @Test
  void should_not_send_a_read_again_when_its_second_copy_fails() {
    Read read = read(1);
    Copy first = client.send(read, simulation.servers[0]);
    Copy second = client.send(read, simulation.servers[1]);
    second.ifBusy = Copy.IfBusy.DROPPED;
    second.failed = true;
    client.on(Client.ANSWER, second);
    assertThat(read.copies).isEqualTo(2);
    first.failed = true;
    client.on(Client.ANSWER, first);
    assertThat(read.copies).isEqualTo(3);
    assertThat(read.first.server).isSameAs(simulation.servers[2]);
  }
}
