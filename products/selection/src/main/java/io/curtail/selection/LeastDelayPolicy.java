/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.delay.LeastDelay;
import io.curtail.selection.weighted.StartingRamp;
import io.curtail.selection.weighted.Weights;

/**
 * Least expected delay, as the driver's {@code AdaptivePolicy} runs it with its defaults: see
 * {@link LeastDelay}. A read is taken to leave for the replica that comes first. Nodes that are no
 * replicas do not arise here, and none is starting.
 */
final class LeastDelayPolicy implements RankingPolicy {
  static final LoadSettings LOAD = LoadSettings.PAPER.withMemory(DelayMemory::new);

  private static final long PROBE_INTERVAL_NANOS = 1_000_000_000L;
  private static final double PROBE_SHARE = 0.01;

  private final LeastDelay formula =
      new LeastDelay(Weights.NETFLIX, PROBE_INTERVAL_NANOS, PROBE_SHARE);

  private final long memoryNanos;

  /**
   * @param memoryNanos for how long response times are remembered, above 0
   */
  LeastDelayPolicy(long memoryNanos) {
    this.memoryNanos = memoryNanos;
  }

  @Override
  public void rank(Candidates candidates) {
    if (candidates.size() == 0) {
      return;
    }
    long now = candidates.nowNanos();
    boolean someFail = doSomeFail(candidates, now);
    double unknown = unknownNanos(candidates, someFail, now);
    double least = Double.POSITIVE_INFINITY;
    float doubtInLeast = 1;
    float nearest = Float.POSITIVE_INFINITY;
    float farthest = 0;
    for (int i = 0; i < candidates.size(); i++) {
      double delay =
          known(candidates, i).delay().expectedNanos(candidates.outstanding(i), unknown, now);
      candidates.score(i, delay);
      float doubt = known(candidates, i).delay().uncertainty();
      boolean isLess = delay < least || (delay == least && doubt < doubtInLeast);
      if (isLess && !(someFail && known(candidates, i).health.isFailing(now))) {
        least = delay;
        doubtInLeast = doubt;
      }
      nearest = Math.min(nearest, distance(candidates, i));
      farthest = Math.max(farthest, distance(candidates, i));
    }
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < candidates.size(); i++) {
      float slowness = (float) (candidates.score(i) / least);
      float doubt = Math.max(doubtInLeast, known(candidates, i).delay().uncertainty());
      float distance = distance(candidates, i);
      if (distance == nearest && !formula.countsAsNear(nearest < farthest, slowness)) {
        distance = farthest;
      }
      double score =
          formula.score(
              slowness,
              doubt,
              candidates.outstanding(i),
              distance,
              known(candidates, i).health,
              StartingRamp.NONE,
              now,
              (int) candidates.random().nextLong());
      candidates.score(i, score);
      best = Math.min(best, score);
    }
    if (formula.mayProbe((int) candidates.random().nextLong())) {
      probeOne(candidates, (float) best, now);
    }
    candidates.sortByScore(Integer.MAX_VALUE);
    known(candidates, 0).delay().sent(now);
  }

  /** Whether some fail, and not all of them: then their delays, which say nothing, do not count. */
  private boolean doSomeFail(Candidates candidates, long now) {
    int failing = 0;
    for (int i = 0; i < candidates.size(); i++) {
      failing += known(candidates, i).health.isFailing(now) ? 1 : 0;
    }
    return failing > 0 && failing < candidates.size();
  }

  /** What a replica that never answered is taken to need. */
  private double unknownNanos(Candidates candidates, boolean someFail, long now) {
    double quickest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < candidates.size(); i++) {
      DelayMemory known = known(candidates, i);
      double delay = known.delay().responseTimeNanos(now);
      if (delay > 0 && delay < quickest && !(someFail && known.health.isFailing(now))) {
        quickest = delay;
      }
    }
    return Double.isInfinite(quickest) ? LeastDelay.UNKNOWN_NANOS : quickest;
  }

  private void probeOne(Candidates candidates, float best, long now) {
    for (int i = 0; i < candidates.size(); i++) {
      DelayMemory known = known(candidates, i);
      if (formula.claimProbe(
          best, distance(candidates, i), known.delay(), known.health, StartingRamp.NONE, now)) {
        candidates.score(i, 0);
        return;
      }
    }
  }

  private static float distance(Candidates candidates, int place) {
    return (float) candidates.get(place).distanceWeight();
  }

  private DelayMemory known(Candidates candidates, int place) {
    DelayMemory known = DelayMemory.of(candidates.get(place));
    known.remember(memoryNanos);
    return known;
  }
}
