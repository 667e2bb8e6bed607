/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.util.collection.QueryPlan;
import edu.umd.cs.findbugs.annotations.NonNull;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The scored nodes, best first, then every other live node of the local data centre in a random
 * order that is worked out only if a request gets that far. Each node is returned once, also when
 * retries and speculative executions poll at the same time.
 */
class WeightedQueryPlan extends AbstractQueue<Node> implements QueryPlan {
  private static final AtomicIntegerFieldUpdater<WeightedQueryPlan> NEXT =
      AtomicIntegerFieldUpdater.newUpdater(WeightedQueryPlan.class, "next");

  private final TrackedNode[] scored;
  private final LocalNodes local;
  private final int walk;
  private volatile int next;
  private volatile TrackedNode[] unscored;

  /**
   * @param walk 32 random bits, which choose the order of the nodes that are not scored
   */
  WeightedQueryPlan(TrackedNode[] scored, LocalNodes local, int walk) {
    this.scored = scored;
    this.local = local;
    this.walk = walk;
  }

  /** The node to try first; a plan is never empty. */
  TrackedNode first() {
    return scored[0];
  }

  /** How many nodes were polled. */
  final int next() {
    return next;
  }

  final int scoredCount() {
    return scored.length;
  }

  final TrackedNode scored(int index) {
    return scored[index];
  }

  /**
   * Makes a scored node that was not polled the next one. Not while another thread polls.
   *
   * @param index at least {@link #next()}
   */
  final TrackedNode moveUp(int index) {
    int place = next;
    TrackedNode moved = scored[index];
    scored[index] = scored[place];
    scored[place] = moved;
    return moved;
  }

  @Nullable
  @Override
  public Node poll() {
    int index = NEXT.getAndIncrement(this);
    if (index >= local.size()) {
      return null;
    }
    TrackedNode polled = get(index);
    if (index > 0 && polled.rate != null) {
      polled.rate.takeOnCredit();
    }
    onPolled(polled, index);
    return polled.node;
  }

  /**
   * The driver sends the request there next.
   *
   * @param index 0 for the first node of the plan
   */
  void onPolled(TrackedNode node, int index) {}

  @NonNull
  @Override
  public Iterator<Node> iterator() {
    List<Node> left = new ArrayList<>();
    for (int index = next; index < local.size(); index++) {
      left.add(get(index).node);
    }
    return left.iterator();
  }

  @Override
  public int size() {
    return Math.max(0, local.size() - next);
  }

  private TrackedNode get(int index) {
    return index < scored.length ? scored[index] : unscored()[index - scored.length];
  }

  /** Worked out by the first to need it; two threads at once come to the same. */
  private TrackedNode[] unscored() {
    TrackedNode[] nodes = unscored;
    if (nodes == null) {
      nodes = walk();
      unscored = nodes;
    }
    return nodes;
  }

  private TrackedNode[] walk() {
    List<TrackedNode> seen = Arrays.asList(scored);
    TrackedNode[] nodes = new TrackedNode[local.size() - scored.length];
    int stride = local.stride(walk);
    int count = 0;
    for (int at = local.start(walk); count < nodes.length; ) {
      TrackedNode node = local.get(at);
      if (!seen.contains(node)) {
        nodes[count++] = node;
      }
      at = local.next(at, stride);
    }
    return nodes;
  }
}
