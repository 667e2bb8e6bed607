/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.ProbeRule;
import io.curtail.selection.ProbingPolicy;
import io.curtail.selection.RandomSource;
import java.util.HashMap;
import java.util.Map;

/** How one client hears of servers beside its reads. */
final class Probes {
  private final Simulation simulation;
  private final Client client;
  private final RandomSource random;
  private final ProbeRule rule;
  private final Map<Integer, ProbeRule.Turn> turns = new HashMap<>();

  /**
   * @param random the client's
   */
  Probes(Simulation simulation, Client client, RandomSource random) {
    this.simulation = simulation;
    this.client = client;
    this.random = random;
    this.rule =
        new ProbeRule(
            (long) (simulation.scenario.refreshMillis * 1e6), simulation.scenario.refreshShare);
  }

  /** A read came in: the policy asks servers, drawn at random, how they are. */
  void onRead(ProbingPolicy policy) {
    double probes = policy.probesPerRead();
    int whole = (int) probes + (random.nextDouble() < probes - (int) probes ? 1 : 0);
    for (int i = 0; i < whole; i++) {
      Server server = simulation.servers[random.nextInt(simulation.servers.length)];
      simulation.network.probe(client, server);
    }
  }

  /**
   * A read was sent: as {@code curtail-server} does, a replica unheard for long may get a copy that
   * nobody waits for.
   *
   * @param first the place in the ranking of the replica that got the read
   */
  void onSent(Read read, int first) {
    boolean readsItself = client.isSampled(read.first.server);
    if (!rule.isOn()
        || !rule.mayProbe(readsItself, client.areOwnReadsSlow(), random.nextDouble())) {
      return;
    }
    long now = simulation.loop.nowNanos();
    for (int place = 0; client.replica(place) != null; place++) {
      Server server = client.replica(place);
      if (place != first
          && !simulation.network.isOn(client, server)
          && rule.take(client.load(server.number), turn(server), now)) {
        client.send(read, server).shadow = true;
        return;
      }
    }
  }

  private ProbeRule.Turn turn(Server server) {
    return turns.computeIfAbsent(server.number, number -> new ProbeRule.Turn(0));
  }
}
