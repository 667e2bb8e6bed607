/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.campaign.process.Polling;
import java.io.IOException;
import java.time.Duration;

/**
 * Nodes that leave, join, take the part of another or another place, so that others get rows of
 * them. Whoever dies meanwhile, it can be done again. Used by one thread.
 */
record RingChanges(Nodes nodes, Load load, Patience patience) {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration MOST_TAKEN_FOR_ALIVE = Duration.ofMinutes(3);

  /** Gossip goes to each node within seconds, if it goes at all. */
  private static final Duration MOST_GOSSIP = Duration.ofSeconds(15);

  void decommission(int node) throws IOException, InterruptedException {
    patience.run(() -> leave(node));
    nodes.left(node);
  }

  private void leave(int node) throws IOException, InterruptedException {
    NewLogLines lines = new NewLogLines(nodes.node(node).logFile());
    String hostId = hostId(node);
    try (Jmx jmx = nodes.jmx(node)) {
      jmx.decommission();
    } catch (IOException e) {
      // It tells the others when it has streamed all; one that is killed then starts as a new node.
      if (!lines.tellOfLeaving()) {
        throw e;
      }
      awaitLeft(node, hostId);
    }
    nodes.node(node).stop();
  }

  /** If the others have not heard of it, they take it out as any dead node: they have its rows. */
  private void awaitLeft(int node, String hostId) throws IOException, InterruptedException {
    String host = nodes.node(node).host();
    try (Jmx other = new Jmx(nodes.liveMember())) {
      if (!Polling.holds(MOST_GOSSIP, POLL, () -> !other.owners().contains(host))) {
        awaitDead(other, node);
        other.remove(hostId);
      }
    }
  }

  void bootstrap(int node) throws IOException, InterruptedException {
    patience.run(() -> nodes.join(node));
  }

  /** A new replica may lack what its source had not heard of: a repair comes before comparisons. */
  void replace(int dead, int by) throws IOException, InterruptedException {
    load.withoutChecks(
        () -> {
          nodes.lose(dead);
          patience.run(() -> nodes.replace(dead, by));
          patience.run(() -> nodes.repair(by));
        });
  }

  /** Others may lack what their sources had not heard of: a repair comes before comparisons. */
  void remove(int node) throws IOException, InterruptedException {
    String hostId = hostId(node);
    load.withoutChecks(
        () -> {
          nodes.node(node).kill();
          nodes.left(node);
          try (Jmx jmx = new Jmx(nodes.liveMember())) {
            awaitDead(jmx, node);
            jmx.remove(hostId);
          }
          for (int member : nodes.members()) {
            patience.run(() -> nodes.repair(member));
          }
        });
  }

  void move(int node, int eighths) throws IOException, InterruptedException {
    long token = nodes.tokenBefore(node, eighths);
    patience.run(() -> moveTo(node, token));
    nodes.moved(node, token);
  }

  /** Started again, a node whose move has failed has its old place, and none that it waits for. */
  private void moveTo(int node, long token) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      if (!jmx.tokens().contains(Long.toString(token))) {
        jmx.move(token);
      }
    } catch (IllegalStateException e) {
      nodes.restart(node);
      throw e;
    }
  }

  private String hostId(int node) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      return jmx.hostId();
    }
  }

  private void awaitDead(Jmx jmx, int node) throws IOException, InterruptedException {
    Polling.until(
        MOST_TAKEN_FOR_ALIVE,
        POLL,
        () -> jmx.deadNodes().contains(nodes.node(node).host()),
        () -> "node " + node + " is dead and taken for alive");
  }
}
