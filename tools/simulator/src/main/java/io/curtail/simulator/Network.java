/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Feedback;
import io.curtail.selection.RandomSource;

/** What travels, and how long. */
final class Network {
  /** A server's word about itself, on its way to a client. */
  record Report(Server server, Feedback feedback, Copy copy) {}

  private final Simulation simulation;
  private final long[][] oneWayNanos;
  private final RandomSource losses;
  private final int[] lastReported;
  long messages;
  long claims;
  long notices;
  long probes;

  Network(Simulation simulation, RandomSource losses) {
    this.simulation = simulation;
    this.losses = losses;
    SimulatedScenario scenario = simulation.scenario;
    lastReported = new int[scenario.servers];
    oneWayNanos = new long[scenario.zones][scenario.zones];
    for (int from = 0; from < scenario.zones; from++) {
      for (int to = 0; to < scenario.zones; to++) {
        double millis =
            scenario.zoneOneWayMillis.isEmpty()
                ? scenario.oneWayMillis
                : scenario.zoneOneWayMillis.get(from * scenario.zones + to);
        oneWayNanos[from][to] = Math.round(millis * 1e6);
      }
    }
  }

  private long delay(int fromZone, int toZone) {
    return oneWayNanos[fromZone][toZone];
  }

  private long delay(Client client, Server server) {
    return isOn(client, server) ? 0 : delay(client.zone, server.zone);
  }

  private long delay(Server server, Client client) {
    return isOn(client, server) ? 0 : delay(server.zone, client.zone);
  }

  /** Returns whether the server is the coordinator's own replica. */
  boolean isOn(Client coordinator, Server server) {
    return simulation.scenario.coordinated && coordinator.number == server.number;
  }

  /** Returns how long a user's request and its answer travel to and from a coordinator. */
  long usersRoundTripNanos(Client coordinator) {
    return simulation.scenario.coordinated ? 2 * delay(coordinator.zone, coordinator.zone) : 0;
  }

  void send(Copy copy) {
    messages++;
    copy.server.expect();
    simulation.loop.after(delay(copy.read.client, copy.server), copy.server, Server.ARRIVAL, copy);
  }

  /**
   * Returns how many reads waited at the server by its last answer to anyone, 0 before the first: a
   * read that passes a switch half way to the server finds there what has left the server when the
   * read leaves its client.
   */
  int lastReported(Server server) {
    return lastReported[server.number];
  }

  void answer(Copy copy) {
    messages++;
    if (copy.feedback != null) {
      lastReported[copy.server.number] = copy.feedback.waiting();
    }
    if (simulation.scenario.feedbackLoss > 0
        && losses.nextDouble() < simulation.scenario.feedbackLoss) {
      copy.feedback = null;
    }
    simulation.loop.after(
        delay(copy.server, copy.read.client), copy.read.client, Client.ANSWER, copy);
  }

  /** Tells a client that its copy has to wait. */
  void notice(Copy copy, Feedback feedback) {
    messages++;
    notices++;
    simulation.loop.after(
        delay(copy.server, copy.read.client),
        copy.read.client,
        Client.NOTICE,
        new Report(copy.server, feedback, copy));
  }

  /** Tells the server that may have the other copy of the read that this one is served. */
  void claim(Copy started) {
    messages++;
    claims++;
    if (simulation.scenario.claimLoss == 0
        || losses.nextDouble() >= simulation.scenario.claimLoss) {
      simulation.loop.after(
          delay(started.server.zone, started.sibling.zone),
          started.sibling,
          Server.CLAIM,
          started.read);
    }
  }

  /** Tells a server that a copy's answer is not wanted any more. */
  void purge(Copy copy) {
    messages++;
    simulation.loop.after(delay(copy.read.client, copy.server), copy.server, Server.PURGE, copy);
  }

  /** A server passes a read on. Its client goes on counting it where it sent it. */
  void passOn(Copy copy, Server to) {
    Copy moved = new Copy(copy.read, to, copy.sentNanos);
    moved.route = copy.route;
    moved.settled = true;
    copy.read.add(moved);
    messages++;
    to.expect();
    simulation.loop.after(delay(copy.server.zone, to.zone), to, Server.ARRIVAL, moved);
  }

  /** A server returns a read to its client, which is to send it to another server. */
  void giveBack(Copy copy, Server to, Feedback feedback) {
    messages++;
    simulation.loop.after(
        delay(copy.server, copy.read.client),
        copy.read.client,
        Client.RETURNED,
        new Report(to, feedback, copy));
  }

  long roundTripNanos(Client client, Server server) {
    return delay(client, server) + delay(server, client);
  }

  void probe(Client client, Server server) {
    messages++;
    probes++;
    simulation.loop.after(delay(client, server), server, Server.PROBE, client);
  }

  void answerProbe(Server server, Client client, Feedback feedback) {
    messages++;
    simulation.loop.after(
        delay(server, client), client, Client.PROBED, new Report(server, feedback, null));
  }
}
