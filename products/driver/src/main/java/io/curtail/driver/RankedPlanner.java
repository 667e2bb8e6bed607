/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.session.Request;
import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.Candidates;
import io.curtail.selection.NamedPolicy;
import io.curtail.selection.PolicySettings;
import io.curtail.selection.ProbeRule;
import io.curtail.selection.RankingPolicy;
import io.curtail.selection.ReplicaLoad;
import io.curtail.selection.weighted.StartingRamp;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Orders the replicas of a request as a policy of {@code selection} does, by what a client sees
 * itself, and by what nodes report if a {@link FeedbackSource} hears it. Replicas that have just
 * started come behind others by chance, failing ones behind all nodes; without replicas all
 * candidates are ranked.
 *
 * <p>These rankings believe what they heard last, however long ago. So one that has not been heard
 * for a time comes first once in such a time: an ordinary request tells whether it is well again.
 * Not one that owes answers and gives none, also to requests of other policies. Thread-safe.
 */
final class RankedPlanner extends Planner {
  /* Keys are places of the ranking; each of these puts a node behind all that lack it. */
  private static final int STARTING = 1 << 8;
  private static final int NO_REPLICA = 1 << 28;
  private static final int FAILING = 1 << 29;

  private final NamedPolicy named;
  private final RankingPolicy ranking;
  private final ProbeRule probes;
  private final WeightedSettings settings;

  /**
   * @param clients that send to the same nodes: C3's w
   * @param probes which replicas are asked though others are better
   */
  RankedPlanner(
      NamedPolicy named,
      int clients,
      ProbeRule probes,
      WeightedSettings settings,
      LongSupplier nanoClock) {
    super(settings, nanoClock);
    this.named = named;
    this.probes = probes;
    this.settings = settings;
    this.ranking = named.newRanking(PolicySettings.builder().clients(clients).build());
  }

  @Override
  void follow(TrackedNode node) {
    node.load =
        new ReplicaLoad(named.loadSettings(), settings.weights.distance(node.inLocalRack, true));
    node.probeTurn = new ProbeRule.Turn(now());
  }

  @Override
  long toKeys(TrackedNode[] candidates, int[] keys, int from, int replicaCount, int random) {
    long now = now();
    int end = replicaCount == 0 ? keys.length : replicaCount;
    for (int i = end; i < keys.length; i++) {
      float distance = settings.weights.distance(candidates[i].inLocalRack, true);
      keys[i] = NO_REPLICA + (int) (Math.min(keys[i], 1 << 15) * distance);
    }
    if (from < end) {
      rank(candidates, keys, from, end, now);
    }
    for (int i = from; i < keys.length; i++) {
      if (candidates[i].health.isFailing(now)) {
        keys[i] += FAILING;
      }
    }
    return now;
  }

  private void rank(TrackedNode[] candidates, int[] keys, int from, int end, long now) {
    Candidates ranked = new Candidates(() -> ThreadLocalRandom.current().nextLong());
    ranked.start(now);
    int probed = probed(candidates, keys, from, end, now);
    for (int i = from; i < end; i++) {
      ranked.add(candidates[i].load, keys[i]);
    }
    ranking.rank(ranked);
    for (int place = 0; place < ranked.size(); place++) {
      int i = from;
      while (candidates[i].load != ranked.get(place)) {
        i++;
      }
      keys[i] = 1 + place + (isStarting(candidates[i].ramp, now) ? STARTING : 0);
    }
    if (probed >= 0) {
      keys[probed] = PROBED_KEY;
    }
  }

  /**
   * Returns the replica that this request is to ask, whatever its rank; -1 for none.
   *
   * @param inFlight of each candidate
   */
  private int probed(TrackedNode[] candidates, int[] inFlight, int from, int end, long now) {
    if (probes.mayProbe(false, false, ThreadLocalRandom.current().nextDouble())) {
      for (int i = from; i < end; i++) {
        TrackedNode candidate = candidates[i];
        if ((inFlight[i] == 0 || candidate.isHeardWithin(probes.silenceNanos(), now))
            && candidate.ramp.isOver()
            && !candidate.health.isFailing(now)
            && probes.take(candidate.load, candidate.probeTurn, now)) {
          return i;
        }
      }
    }
    return -1;
  }

  /** No ranking goes by when requests left, but it is shown whether a node owes an answer. */
  @Override
  WeightedQueryPlan newPlan(
      TrackedNode[] ordered,
      LocalNodes local,
      int walk,
      @Nullable Request request,
      long nowNanos,
      int leastKey) {
    return ClusterStatement.includes(request)
        ? super.newPlan(ordered, local, walk, request, nowNanos, leastKey)
        : new TimedQueryPlan(ordered, local, walk, nanoClock, nowNanos, areCopiesMarked());
  }

  private static boolean isStarting(StartingRamp ramp, long now) {
    return !ramp.isOver() && ThreadLocalRandom.current().nextFloat() < ramp.chanceAt(now);
  }
}
