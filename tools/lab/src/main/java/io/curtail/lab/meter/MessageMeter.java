/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How many messages nodes send each other while a load runs: requests, answers and, some a second,
 * gossip. By Cassandra's own counters, which the asking itself does not move.
 */
public final class MessageMeter {
  private static final String SENT = "SELECT sent_count FROM system_views.internode_outbound";

  /** Longer than any node stands still. */
  private static final long ANSWER_SECONDS = 30;

  private final List<Asked> nodes;
  private final List<CompletableFuture<Long>> before;
  private List<CompletableFuture<Long>> after;

  private MessageMeter(List<CqlSession> sessions) {
    nodes =
        sessions.stream()
            .flatMap(
                session ->
                    session.getMetadata().getNodes().values().stream()
                        .filter(node -> node.getDistance() != NodeDistance.IGNORED)
                        .map(node -> new Asked(session, node)))
            .toList();
    before = ask();
  }

  /** Whom to ask for what a node sent. */
  private record Asked(CqlSession session, Node node) {}

  /**
   * Asks all nodes, and waits for none.
   *
   * @param sessions that together ask each node of the cluster, and none twice
   */
  public static MessageMeter start(List<CqlSession> sessions) {
    return new MessageMeter(sessions);
  }

  private List<CompletableFuture<Long>> ask() {
    return nodes.stream()
        .map(
            asked ->
                asked
                    .session()
                    .executeAsync(SimpleStatement.newInstance(SENT).setNode(asked.node())))
        .map(sent -> sent.thenApply(MessageMeter::sum).toCompletableFuture())
        .toList();
  }

  /** A row a peer: a lab's nodes fit into one page. */
  private static long sum(AsyncResultSet peers) {
    long sent = 0;
    for (Row peer : peers.currentPage()) {
      sent += peer.getLong("sent_count");
    }
    return sent;
  }

  /** Asks all nodes again, and waits for none. */
  public void end() {
    after = ask();
  }

  /** How many all nodes sent in between; NaN if one did not say, or counts anew. Waits for them. */
  public double sent() throws InterruptedException {
    double sent = 0;
    for (int node = 0; node < nodes.size(); node++) {
      double of = count(after.get(node)) - count(before.get(node));
      sent += of < 0 ? Double.NaN : of;
    }
    return sent;
  }

  private static double count(CompletableFuture<Long> answer) throws InterruptedException {
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return Double.NaN;
    }
  }
}
