/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.rate.RateControl;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Which of a plan's nodes may get a request now: the best of its live replicas that has fewer
 * requests in flight than the limit, and a permit of its rate. One that fails gets what the others
 * have no room for only if all of them fail: it has room because it refuses. Nodes that are no
 * replicas count only if no replica is known or live: they would forward the request to those at
 * their limit. A lightweight transaction waits for the first node of its fixed order. A node
 * without a connection, or whose connections carry as many requests as they can, has no room, as
 * the driver would pass it over and send to the next one, whatever that one's limit; unless none
 * has a connection: then requests fail at once.
 *
 * <p>A node that others wait for is theirs first: a request that has not waited does not get it.
 *
 * <p>The policies of a session share one: whose requests wait, and a node's rate, do not depend on
 * the profile.
 *
 * <p>What is in flight is counted by the connections, so it includes what the client gave up on,
 * and nothing that was counted once is ever forgotten. Requests that are sent by several threads at
 * the same time may exceed the limit by as many. Thread-safe.
 */
final class Pace {
  final ThrottlerBacklog backlog;
  private final ThrottlerSettings settings;
  private final LongSupplier nanoClock;

  /** How many wait for each node: also for one that lost its connections and came back. */
  private final Map<Node, AtomicInteger> waitingFor =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Also of a node that went and came back; empty if rates have no limit. */
  private final Map<Node, NodeRate> rates = Collections.synchronizedMap(new WeakHashMap<>());

  /** How many wait that know of no replica. */
  private final AtomicInteger waitingForAny = new AtomicInteger();

  /**
   * @param backlog where requests wait
   */
  Pace(ThrottlerSettings settings, ThrottlerBacklog backlog, LongSupplier nanoClock) {
    this.settings = settings;
    this.backlog = backlog;
    this.nanoClock = nanoClock;
  }

  /** To be told of each new node, by each policy that has it. */
  void follow(TrackedNode node) {
    node.rate = rates.computeIfAbsent(node.node, unknown -> newRate());
    node.waiting = waitingFor.computeIfAbsent(node.node, unknown -> new AtomicInteger());
  }

  @Nullable
  private NodeRate newRate() {
    RateControl control = settings.newRateControl(nanoClock.getAsLong());
    return control == null ? null : new NodeRate(control, nanoClock);
  }

  /**
   * Whether there is a use in planning: looks at each live replica.
   *
   * @param waited whether the request has waited for its turn
   */
  boolean mayHaveRoom(
      LocalNodes local, Set<Node> replicas, Map<Node, ChannelPool> pools, boolean waited) {
    boolean anyLive = false;
    boolean anyWell = false;
    boolean anyRoom = false;
    boolean anyConnected = isAnyConnected(local, replicas, pools);
    long now = nanoClock.getAsLong();
    for (Node replica : replicas) {
      TrackedNode node = local.get(replica);
      if (node != null && (!anyConnected || node.isConnected(pools))) {
        boolean isWell = !node.health.isFailing(now);
        boolean hasRoom = hasRoom(node, pools, waited);
        if (isWell && hasRoom) {
          return true;
        }
        anyLive = true;
        anyWell |= isWell;
        anyRoom |= hasRoom;
      }
    }
    return anyLive ? anyRoom && !anyWell : waited || waitingForAny.get() == 0;
  }

  private static boolean isAnyConnected(
      LocalNodes local, Set<Node> replicas, Map<Node, ChannelPool> pools) {
    for (Node replica : replicas) {
      TrackedNode node = local.get(replica);
      if (node != null && node.isConnected(pools)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Makes the best node that may get the request the plan's first, and takes its permit.
   *
   * @return false if no node may
   */
  boolean admit(
      WeightedQueryPlan plan,
      Set<Node> replicas,
      boolean fixedOrder,
      Map<Node, ChannelPool> pools,
      boolean waited) {
    boolean anyNode = !hasReplica(plan, replicas);
    int first = firstConnected(plan, anyNode, replicas, pools);
    boolean anyConnected = first >= 0;
    int candidates = fixedOrder ? Math.max(0, first) + 1 : plan.scoredCount();
    long now = nanoClock.getAsLong();
    boolean allFail = true;
    for (int i = 0; i < candidates && allFail; i++) {
      TrackedNode node = plan.scored(i);
      allFail =
          node.health.isFailing(now) || !mayServe(node, anyNode, replicas, anyConnected, pools);
    }
    for (int i = 0; i < candidates; i++) {
      TrackedNode node = plan.scored(i);
      if (mayServe(node, anyNode, replicas, anyConnected, pools)
          && (allFail || !node.health.isFailing(now))
          && hasRoom(node, pools, waited)
          && (node.rate == null || node.rate.tryTake())) {
        plan.moveUp(i);
        return true;
      }
    }
    return false;
  }

  private static boolean hasReplica(WeightedQueryPlan plan, Set<Node> replicas) {
    for (int i = 0; i < plan.scoredCount() && !replicas.isEmpty(); i++) {
      if (replicas.contains(plan.scored(i).node)) {
        return true;
      }
    }
    return false;
  }

  /** Returns -1 if no node that may serve the request has a connection. */
  private static int firstConnected(
      WeightedQueryPlan plan, boolean anyNode, Set<Node> replicas, Map<Node, ChannelPool> pools) {
    for (int i = 0; i < plan.scoredCount(); i++) {
      if (mayServe(plan.scored(i), anyNode, replicas, true, pools)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean mayServe(
      TrackedNode node,
      boolean anyNode,
      Set<Node> replicas,
      boolean connected,
      Map<Node, ChannelPool> pools) {
    return (anyNode || replicas.contains(node.node)) && (!connected || node.isConnected(pools));
  }

  private boolean hasRoom(TrackedNode node, Map<Node, ChannelPool> pools, boolean waited) {
    return (waited || node.waiting.get() == 0)
        && node.inFlight(pools) < settings.maxInFlight
        && !node.isFull(pools)
        && (node.rate == null || node.rate.mayHavePermit());
  }

  /**
   * Counts a request that begins to wait.
   *
   * @param replicas that it waits for
   * @return the count to be given back when it waits no longer
   */
  AtomicInteger[] beginWait(LocalNodes local, Set<Node> replicas) {
    AtomicInteger[] counts =
        replicas.stream()
            .map(local::get)
            .filter(node -> node != null)
            .map(node -> node.waiting)
            .toArray(AtomicInteger[]::new);
    if (counts.length == 0) {
      counts = new AtomicInteger[] {waitingForAny};
    }
    for (AtomicInteger count : counts) {
      count.incrementAndGet();
    }
    return counts;
  }
}
