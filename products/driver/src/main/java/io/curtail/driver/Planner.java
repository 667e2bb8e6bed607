/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.weighted.WeightedLeastLoaded;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Orders the nodes of the local data centre for one request.
 *
 * <pre>
 * candidates = the live replicas, then random other nodes, until there are enough
 * plan       = the candidates by their keys; then all other nodes at random
 * </pre>
 *
 * <p>For a lightweight transaction the live replicas keep their order on the ring, those of the
 * local rack first and unhealthy ones last, whatever their load: coordinators that differ from
 * request to request make its Paxos rounds compete. Thread-safe.
 */
abstract class Planner {
  /*
   * This runs once a request, so: no lock, no shared write, nothing that grows with the number of nodes.
   * An insertion sort is the cheapest for 8 candidates. All loads are read before any is compared, as
   * most of the time is waiting for memory, and the processor then waits for all of them at once.
   */

  /** Added to the places of replicas that come after all better ones in the fixed order. */
  private static final float FIXED_ORDER_OTHER_RACK = 256;

  private static final float FIXED_ORDER_UNHEALTHY = 512;

  /** The key of a node that is to be asked to learn how it is: no other is below it. */
  static final int PROBED_KEY = 0;

  private final int scoredPlanSize;
  final LongSupplier nanoClock;
  private boolean areCopiesMarked;

  Planner(WeightedSettings settings, LongSupplier nanoClock) {
    this.scoredPlanSize = settings.scoredPlanSize;
    this.nanoClock = nanoClock;
  }

  /**
   * Turns requests in flight into sort keys, the lowest best.
   *
   * @param keys the candidates' requests in flight; their keys afterwards
   * @param from the first candidate to be given a key
   * @param replicaCount how many candidates are replicas: the first ones
   * @param random 32 random bits
   * @return the time, if it was looked at
   */
  abstract long toKeys(
      TrackedNode[] candidates, int[] keys, int from, int replicaCount, int random);

  /**
   * How many candidates are looked at first. If one of the replicas among them is the best and does
   * not fail, there are no more; else there are scored-plan-size (8). A node that is no replica
   * comes first only if all replicas fail, so one is enough to tell. Where replicas are unknown and
   * these are fewer than the nodes, half of them are of the local rack, and stand for replicas.
   *
   * @param replicas how many are known, some of which may be elsewhere or down
   */
  int firstLook(LocalNodes local, int replicas) {
    return replicas == 0 ? Integer.MAX_VALUE : replicas + 1;
  }

  /** Told of each node before it is in any plan. */
  void follow(TrackedNode node) {}

  /** The session marks its second copies; to be told before the first plan. */
  final void marksCopies() {
    areCopiesMarked = true;
  }

  final boolean areCopiesMarked() {
    return areCopiesMarked;
  }

  /** Has requests wait until a node has room, from the next plan on. */
  void limit() {}

  /** Whether requests can be copied: only if what a node's answers take is measured. */
  boolean canHedge() {
    return false;
  }

  /**
   * Has requests copied, from the next plan on.
   *
   * @throws IllegalArgumentException if the ranking does not know what that needs
   */
  Hedges startHedging(HedgingSettings hedging, WeightedLeastLoadedPolicy policy) {
    throw new IllegalArgumentException(
        "AdaptiveSpeculativeExecution needs "
            + AdaptiveOption.RANKING.getPath()
            + " = "
            + Rankings.ADAPTIVE);
  }

  /**
   * The plan of candidates in order.
   *
   * @param walk 32 random bits, which choose the order of all other nodes
   * @param request null for a control connection
   * @param nowNanos what {@link #toKeys} returned
   * @param leastKey of the first candidate
   */
  WeightedQueryPlan newPlan(
      TrackedNode[] ordered,
      LocalNodes local,
      int walk,
      @Nullable Request request,
      long nowNanos,
      int leastKey) {
    return new WeightedQueryPlan(ordered, local, walk);
  }

  final long now() {
    return nanoClock.getAsLong();
  }

  /**
   * @param replicas of the request's token in ring order, in any state and data centre; empty if
   *     unknown
   * @param pools the session's connection pools; empty if there is no session
   * @param request null for a control connection
   */
  final WeightedQueryPlan plan(
      LocalNodes local,
      Set<Node> replicas,
      Map<Node, ChannelPool> pools,
      @Nullable Request request,
      boolean fixedOrder) {
    int size = local.size();
    int most = Math.min(size, Math.max(scoredPlanSize, replicas.size()));
    int few = fixedOrder ? most : Math.min(most, firstLook(local, replicas.size()));
    long random = ThreadLocalRandom.current().nextLong();
    int walk = (int) (random >>> 32);
    int ties = nextRandom(walk);

    TrackedNode[] candidates = new TrackedNode[few];
    int replicaCount = addReplicas(candidates, local, replicas);
    if (replicaCount < replicas.size()) {
      // The others are in other data centres, or down.
      most = Math.min(size, Math.max(scoredPlanSize, replicaCount));
      if (replicaCount > 0 && !fixedOrder) {
        few = Math.min(few, firstLook(local, replicaCount));
      }
      few = Math.min(few, most);
      candidates = few < candidates.length ? Arrays.copyOf(candidates, few) : candidates;
    }
    int preferred = replicaCount;
    if (replicas.isEmpty() && few < most) {
      preferred = addNearAndFar(candidates, local, (int) random);
    } else {
      addOthers(candidates, replicaCount, local, walk);
    }
    int[] keys = inFlight(candidates, pools);
    int free = 0;
    if (fixedOrder) {
      toPlaces(candidates, keys, replicaCount);
      free = replicaCount;
    }
    long now = toKeys(candidates, keys, free, replicaCount, ties);
    if (few < most && hasToLookFurther(candidates, keys, preferred, now)) {
      candidates = Arrays.copyOf(candidates, most);
      addOthers(candidates, few, local, walk);
      keys = inFlight(candidates, pools);
      now = toKeys(candidates, keys, free, replicaCount, ties);
    }
    sort(candidates, keys, 0, free);
    sort(candidates, keys, free, keys.length);
    return newPlan(candidates, local, walk, request, now, keys[0]);
  }

  /**
   * Whether the best fails or is none of the preferred, unless it is asked though others are
   * better.
   */
  private static boolean hasToLookFurther(
      TrackedNode[] candidates, int[] keys, int preferred, long now) {
    int least = 0;
    for (int i = 1; i < keys.length; i++) {
      if (keys[i] < keys[least]) {
        least = i;
      }
    }
    return (least >= preferred && keys[least] != PROBED_KEY)
        || candidates[least].health.isFailing(now);
  }

  private static int addReplicas(TrackedNode[] candidates, LocalNodes local, Set<Node> replicas) {
    int count = 0;
    if (!replicas.isEmpty()) {
      for (Node replica : replicas) {
        TrackedNode candidate = local.get(replica);
        if (candidate != null && count < candidates.length) {
          candidates[count++] = candidate;
        }
      }
    }
    return count;
  }

  /**
   * Adds as many nodes of other racks as of the local one, if it has so many.
   *
   * @param random bits of their own, as those that break ties would favour the first of a rack
   * @return how many are of the local rack
   */
  private static int addNearAndFar(TrackedNode[] candidates, LocalNodes local, int random) {
    int near = Math.min(local.near().length, candidates.length / 2);
    int far = Math.min(local.far().length, candidates.length - near);
    near = candidates.length - far;
    add(candidates, 0, near, local.near(), random);
    add(candidates, near, candidates.length, local.far(), Integer.reverse(random));
    return near;
  }

  private static void add(
      TrackedNode[] candidates, int from, int to, TrackedNode[] nodes, int seed) {
    int random = seed;
    for (int i = from; i < to; ) {
      TrackedNode candidate = nodes[LocalNodes.scale(random, nodes.length)];
      random = nextRandom(random);
      if (!contains(candidates, i, candidate)) {
        candidates[i++] = candidate;
      }
    }
  }

  private static void addOthers(TrackedNode[] candidates, int present, LocalNodes local, int walk) {
    int stride = local.stride(walk);
    for (int at = local.start(walk), count = present; count < candidates.length; ) {
      TrackedNode candidate = local.get(at);
      at = local.next(at, stride);
      if (!contains(candidates, present, candidate)) {
        candidates[count++] = candidate;
      }
    }
  }

  /** Compares references only: to look into each node would cost more than all the rest. */
  private static boolean contains(TrackedNode[] candidates, int count, TrackedNode candidate) {
    for (int i = 0; i < count; i++) {
      if (candidates[i] == candidate) {
        return true;
      }
    }
    return false;
  }

  private static int[] inFlight(TrackedNode[] candidates, Map<Node, ChannelPool> pools) {
    int[] inFlight = new int[candidates.length];
    for (int i = 0; i < inFlight.length; i++) {
      inFlight[i] = candidates[i].inFlight(pools);
    }
    return inFlight;
  }

  private static void sort(TrackedNode[] candidates, int[] keys, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      TrackedNode candidate = candidates[i];
      int key = keys[i];
      int place = i;
      for (; place > from && keys[place - 1] > key; place--) {
        keys[place] = keys[place - 1];
        candidates[place] = candidates[place - 1];
      }
      keys[place] = key;
      candidates[place] = candidate;
    }
  }

  private void toPlaces(TrackedNode[] candidates, int[] keys, int replicaCount) {
    long now = now();
    for (int i = 0; i < replicaCount; i++) {
      keys[i] = WeightedLeastLoaded.key(place(candidates[i], i, keys[i], now), 0);
    }
  }

  private static float place(TrackedNode replica, int indexOnRing, int inFlight, long now) {
    float place = 1 + indexOnRing;
    if (!replica.inLocalRack) {
      place += FIXED_ORDER_OTHER_RACK;
    }
    if (replica.health.isUnhealthy(inFlight, now)) {
      place += FIXED_ORDER_UNHEALTHY;
    }
    return place;
  }

  /**
   * A linear congruential step; only its higher bits are good, which is all that is used of them.
   */
  static int nextRandom(int random) {
    return random * 0x2C9277B5 + 0xAC564B05;
  }
}
