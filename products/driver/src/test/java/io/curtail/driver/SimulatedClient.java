/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.driver.Nodes.local;

import com.datastax.oss.driver.api.core.metadata.Node;
import io.curtail.driver.Nodes.Loaded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/** One client of nodes that answer after the time that the test says, in simulated time. */
final class SimulatedClient {
  static final long MILLISECOND = 1_000_000;
  static final long SECOND = 1000 * MILLISECOND;

  /** An answer that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private final Planner planner;
  private final List<Loaded> nodes;
  private final LocalNodes local;
  private final Set<Node> replicas = new LinkedHashSet<>();
  private final LongUnaryOperator[] answersAt;
  private final int[] sent;
  private final PriorityQueue<Answer> answers =
      new PriorityQueue<>(Comparator.comparingLong(answer -> answer.atNanos));
  private long nowNanos = SECOND;

  /** All nodes are replicas, and answer after 1 ms. */
  SimulatedClient(List<Loaded> nodes) {
    this(nodes, true);
  }

  SimulatedClient(List<Loaded> nodes, boolean replicasAreKnown) {
    this.nodes = nodes;
    local = local(nodes);
    planner = AdaptivePlannerTest.planner(this::nowNanos);
    if (replicasAreKnown) {
      nodes.forEach(node -> replicas.add(node.node));
    }
    answersAt = new LongUnaryOperator[nodes.size()];
    sent = new int[nodes.size()];
    for (int i = 0; i < answersAt.length; i++) {
      answersAfter(i, MILLISECOND);
    }
  }

  long nowNanos() {
    return nowNanos;
  }

  /** From now on the node needs that long for each new request. */
  void answersAfter(int node, long delayNanos) {
    answersAt[node] = sentAt -> delayNanos == NEVER ? NEVER : sentAt + delayNanos;
  }

  /** From now on the node answers nothing; at the given time it answers all that it owes. */
  void pauseUntil(int node, long untilNanos) {
    answersAt[node] = sentAt -> Math.max(untilNanos, sentAt + MILLISECOND);
    List<Answer> late = new ArrayList<>();
    answers.removeIf(answer -> answer.node == node && late.add(answer));
    late.forEach(
        a -> answers.add(new Answer(a.node, a.sentNanos, Math.max(untilNanos, a.atNanos))));
  }

  /** Keeps that many requests in flight to nodes that answer, for that long. */
  void closedLoop(int inFlight, long forNanos) {
    long end = nowNanos + forNanos;
    while (answers.size() < inFlight) {
      send();
    }
    while (answers.peek().atNanos <= end) {
      answer();
      send();
    }
    nowNanos = end;
  }

  /** Sends a request each interval, whatever is answered. */
  void openLoop(long intervalNanos, long forNanos) {
    long end = nowNanos + forNanos;
    for (long next = nowNanos; next <= end; next += intervalNanos) {
      while (!answers.isEmpty() && answers.peek().atNanos <= next) {
        answer();
      }
      nowNanos = next;
      send();
    }
    nowNanos = end;
  }

  int[] sentSince(int[] before) {
    int[] since = new int[sent.length];
    for (int i = 0; i < since.length; i++) {
      since[i] = sent[i] - before[i];
    }
    return since;
  }

  int[] sent() {
    return sent.clone();
  }

  Loaded node(int index) {
    return nodes.get(index);
  }

  private void send() {
    WeightedQueryPlan plan = planner.plan(local, replicas, Map.of(), null, false);
    Loaded chosen = (Loaded) local.get(plan.poll());
    int node = nodes.indexOf(chosen);
    chosen.inFlight++;
    sent[node]++;
    answers.add(new Answer(node, nowNanos, answersAt[node].applyAsLong(nowNanos)));
  }

  private void answer() {
    Answer answer = answers.remove();
    nowNanos = answer.atNanos;
    Loaded node = nodes.get(answer.node);
    node.inFlight--;
    node.delay.answered(nowNanos - answer.sentNanos);
  }

  private static final class Answer {
    final int node;
    final long sentNanos;
    final long atNanos;

    Answer(int node, long sentNanos, long atNanos) {
      this.node = node;
      this.sentNanos = sentNanos;
      this.atNanos = atNanos;
    }
  }
}
