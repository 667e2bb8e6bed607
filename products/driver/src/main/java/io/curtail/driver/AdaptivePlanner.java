/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.session.Request;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.delay.LeastDelay;
import io.curtail.selection.delay.ReplicaDelay;
import io.curtail.selection.weighted.WeightedLeastLoaded;
import java.util.function.LongSupplier;

/**
 * Orders nodes as {@link LeastDelay} does: the replicas, and behind them nodes that would forward
 * to them. Probed are the replicas; any node that is looked at, if they are unknown. Stateless but
 * for its settings and {@link Hedges}.
 */
final class AdaptivePlanner extends Planner {
  /** Two of the local rack and two of others: the better of two is nearly as good as of many. */
  private static final int FEW = 4;

  /** A copy needs another. */
  private static final int LEAST = 2;

  private static final int IN_FLIGHT_BITS = 0xFFFF;
  private static final int DELAY_BITS = ~IN_FLIGHT_BITS;

  private final LeastDelay formula;
  private final long memoryNanos;
  private volatile Hedges hedges;
  private volatile boolean isLimited;

  /**
   * @param memoryNanos for how long response times are remembered, above 0
   */
  AdaptivePlanner(
      WeightedSettings settings, LeastDelay formula, long memoryNanos, LongSupplier nanoClock) {
    super(settings, nanoClock);
    this.formula = formula;
    this.memoryNanos = memoryNanos;
  }

  /**
   * The replicas, as others are behind them; and of those without known replicas few, where nodes
   * of other racks show whether those of the local one are slow, and a request need not wait until
   * any node has room.
   */
  @Override
  int firstLook(LocalNodes local, int replicas) {
    if (replicas > 0) {
      return Math.max(LEAST, replicas);
    }
    return !isLimited && local.near().length > 0 && local.far().length > 0
        ? FEW
        : super.firstLook(local, replicas);
  }

  @Override
  void limit() {
    isLimited = true;
  }

  @Override
  void follow(TrackedNode node) {
    node.delay = new ReplicaDelay(memoryNanos);
  }

  @Override
  long toKeys(TrackedNode[] candidates, int[] keys, int from, int replicaCount, int seed) {
    long now = now();
    int quickest = packDelays(candidates, keys, from, now);
    if (quickest == keys.length) {
      return now;
    }
    float perLeast = 1 / delayOf(keys[quickest]);
    float doubtInLeast = candidates[quickest].delay.uncertainty();
    boolean isAnyFar = isAnyFar(candidates);
    int random = seed;
    float best = Float.POSITIVE_INFINITY;
    float bestReplica = Float.POSITIVE_INFINITY;
    for (int i = from; i < keys.length; i++) {
      TrackedNode candidate = candidates[i];
      random = nextRandom(random);
      float slowness = delayOf(keys[i]) * perLeast;
      float own = candidate.delay.uncertainty();
      float doubt = own > doubtInLeast ? own : doubtInLeast;
      boolean near = candidate.inLocalRack && formula.countsAsNear(isAnyFar, slowness);
      float score =
          formula.score(
              slowness,
              doubt,
              inFlightOf(keys[i]),
              formula.distance(near, i < replicaCount),
              candidate.health,
              candidate.ramp,
              now,
              random);
      if (i >= replicaCount) {
        score = formula.forwarding(score, bestReplica);
      } else if (score < bestReplica) {
        bestReplica = score;
      }
      random = nextRandom(random);
      keys[i] = WeightedLeastLoaded.key(score, random);
      if (score < best) {
        best = score;
      }
    }
    if (from == 0 && formula.mayProbe(nextRandom(random))) {
      probeOne(candidates, keys, replicaCount, best, now);
    }
    return now;
  }

  private static boolean isAnyFar(TrackedNode[] candidates) {
    for (TrackedNode candidate : candidates) {
      if (!candidate.inLocalRack) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds each candidate's expected delay to its requests in flight: the upper half of the delay's
   * bits as a float, exact to 1 %, then 16 bits of requests. An array of its own would be a third
   * of what a plan allocates.
   *
   * @return the place of the least delay, from {@code from} on; of those, the best known; of one
   *     that fails only if there are no others
   */
  private static int packDelays(TrackedNode[] candidates, int[] keys, int from, long now) {
    boolean someFail = doSomeFail(candidates, now);
    double unknown = unknownNanos(candidates, someFail, now);
    int least = Integer.MAX_VALUE;
    int place = from;
    boolean leastFails = someFail;
    for (int i = from; i < candidates.length; i++) {
      TrackedNode candidate = candidates[i];
      int inFlight = keys[i];
      float delay = (float) candidate.delay.expectedNanos(inFlight, unknown, now);
      int bits = Float.floatToRawIntBits(delay) & DELAY_BITS;
      keys[i] = bits | Math.min(inFlight, IN_FLIGHT_BITS);
      boolean fails = someFail && candidate.health.isFailing(now);
      boolean isLess =
          fails == leastFails
              ? bits < least || (bits == least && isLessDoubtful(candidate, candidates[place]))
              : leastFails;
      if (isLess) {
        least = bits;
        place = i;
        leastFails = fails;
      }
    }
    return place;
  }

  /** Whether some fail, and not all of them: then their delays, which say nothing, do not count. */
  private static boolean doSomeFail(TrackedNode[] candidates, long now) {
    int failing = 0;
    for (TrackedNode candidate : candidates) {
      failing += candidate.health.isFailing(now) ? 1 : 0;
    }
    return failing > 0 && failing < candidates.length;
  }

  /** What a node that never answered is taken to need. */
  private static double unknownNanos(TrackedNode[] candidates, boolean someFail, long now) {
    double quickest = Double.POSITIVE_INFINITY;
    for (TrackedNode candidate : candidates) {
      double known = candidate.delay.responseTimeNanos(now);
      if (known > 0 && known < quickest && !(someFail && candidate.health.isFailing(now))) {
        quickest = known;
      }
    }
    return Double.isInfinite(quickest) ? LeastDelay.UNKNOWN_NANOS : quickest;
  }

  private static boolean isLessDoubtful(TrackedNode one, TrackedNode other) {
    return one.delay.uncertainty() < other.delay.uncertainty();
  }

  private static float delayOf(int packed) {
    return Float.intBitsToFloat(packed & DELAY_BITS);
  }

  private static int inFlightOf(int packed) {
    return packed & IN_FLIGHT_BITS;
  }

  private void probeOne(
      TrackedNode[] candidates, int[] keys, int replicaCount, float best, long now) {
    int end = replicaCount == 0 ? candidates.length : replicaCount;
    for (int i = 0; i < end; i++) {
      TrackedNode candidate = candidates[i];
      float distance = formula.distance(candidate.inLocalRack, i < replicaCount);
      if (formula.claimProbe(
          best, distance, candidate.delay, candidate.health, candidate.ramp, now)) {
        keys[i] = PROBED_KEY;
        return;
      }
    }
  }

  @Override
  boolean canHedge() {
    return true;
  }

  @Override
  Hedges startHedging(HedgingSettings hedging, WeightedLeastLoadedPolicy policy) {
    hedges = new Hedges(hedging, policy, formula);
    return hedges;
  }

  @Override
  WeightedQueryPlan newPlan(
      TrackedNode[] ordered,
      LocalNodes local,
      int walk,
      @Nullable Request request,
      long nowNanos,
      int leastKey) {
    if (ClusterStatement.includes(request)) {
      return super.newPlan(ordered, local, walk, request, nowNanos, leastKey);
    }
    Hedges copying = hedges;
    if (copying != null && request instanceof Statement && copying.serves(request)) {
      boolean isProbe = leastKey == PROBED_KEY;
      return new HedgedQueryPlan(
          ordered, local, walk, nanoClock, nowNanos, copying, request, isProbe);
    }
    return new TimedQueryPlan(ordered, local, walk, nanoClock, nowNanos, areCopiesMarked());
  }
}
