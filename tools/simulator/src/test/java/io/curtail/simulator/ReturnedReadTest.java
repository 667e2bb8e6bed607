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

  /** A node's peers teach it the same, see {@code PeerTest}. */
  @Test
  void should_learn_how_long_reads_take_from_one_that_came_back() {
    Simulation paper =
        new Simulation(
            SimulatedScenario.BASE.with("newSampleWeight", 0.9),
            SimulatedPolicy.named("curtail-single-copy"),
            1);
    Client asks = paper.clients[0];
    Server asked = paper.servers[0];
    ServerLoad load = asks.load(0);
    Read other = new Read(1, asks, 0, 1, 0, new int[] {0, 1, 2});
    Copy first = asks.send(other, asked);
    asks.on(Client.RETURNED, new Network.Report(paper.servers[1], report(9, 4_000), first));
    assertThat(load.serviceTimeNanos()).isEqualTo(4_000);
    Copy second = asks.send(other, asked);
    second.feedback = report(0, 1_000);
    asks.on(Client.ANSWER, second);
    long before = paper.loop.nowNanos();
    while (paper.loop.nowNanos() == before) {
      assertThat(paper.loop.step()).isTrue();
    }
    Copy third = asks.send(other, asked);
    asks.on(Client.RETURNED, new Network.Report(paper.servers[2], report(9, 8_000), third));
    assertThat(load.serviceTimeNanos()).isEqualTo(7_330);
  }

  private static Feedback report(int waiting, long serviceNanos) {
    return new Feedback(waiting, 4, 4, serviceNanos);
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

  @Test
  void should_not_offer_a_read_to_a_replica_that_is_far_slower() {
    for (int replica : read.replicas) {
      long nanos = replica == 1 ? 400_000_000 : 4_000_000;
      client.load(replica).onSent();
      client.load(replica).onResponse(nanos, report(0, nanos), 0);
    }
    read.needed = 1;
    client.rank(read);
    client.send(read, 0);
    assertThat(read.first.route.size()).isEqualTo(2);
    assertThat(read.first.route.placeOf(simulation.servers[1])).isNegative();
  }
}
