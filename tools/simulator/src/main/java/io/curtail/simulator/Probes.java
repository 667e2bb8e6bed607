/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.ProbingPolicy;
import io.curtail.selection.RandomSource;
import java.util.HashMap;
import java.util.Map;

/** How one client hears of servers beside its reads. */
final class Probes {
  private final Simulation simulation;
  private final Client client;
  private final RandomSource random;
  private final Map<Integer, Long> notBeforeNanos = new HashMap<>();

  /**
   * @param random the client's
   */
  Probes(Simulation simulation, Client client, RandomSource random) {
    this.simulation = simulation;
    this.client = client;
    this.random = random;
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
    long silence = (long) (simulation.scenario.refreshMillis * 1e6);
    if (silence == 0 || random.nextDouble() >= simulation.scenario.refreshShare) {
      return;
    }
    long now = simulation.loop.nowNanos();
    for (int place = 0; client.replica(place) != null; place++) {
      Server server = client.replica(place);
      ServerLoad load = client.load(server.number);
      if (place != first
          && !simulation.network.isOn(client, server)
          && (!load.hasResponded() || load.responseAgeNanos(now) > silence)
          && notBeforeNanos.getOrDefault(server.number, 0L) <= now) {
        notBeforeNanos.put(server.number, now + silence);
        client.send(read, server).shadow = true;
        return;
      }
    }
  }
}
