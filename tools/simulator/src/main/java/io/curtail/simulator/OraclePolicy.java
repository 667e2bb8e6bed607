/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.RandomSource;

/**
 * Sees every server's true queue and true speed without delay, and expects
 *
 * <pre>S * (1 + max(0, n + 1 - slots) / slots)</pre>
 *
 * for n reads at the server and on the way to it.
 */
record OraclePolicy(Simulation simulation, RandomSource random) {
  /** Returns the best server that is up, or null. */
  Server best(Read read, Client client) {
    Server best = null;
    double least = Double.POSITIVE_INFINITY;
    int ties = 0;
    for (int replica : read.replicas) {
      Server server = simulation.servers[replica];
      if (!server.isUp() || read.sentTo(replica)) {
        continue;
      }
      double expected = expectedNanos(server) + simulation.network.roundTripNanos(client, server);
      if (expected < least) {
        least = expected;
        best = server;
        ties = 1;
      } else if (expected == least && random.nextInt(++ties) == 0) {
        best = server;
      }
    }
    return best;
  }

  private double expectedNanos(Server server) {
    int slots = simulation.scenario.slots;
    double reads = server.load() + (simulation.scenario.oracleSeesInFlight ? server.onTheWay() : 0);
    return server.meanServiceNanos() * (1 + Math.max(0, reads + 1 - slots) / slots);
  }
}
