/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Finagle's peak EWMA: of two replicas drawn at random, the one with the smaller
 *
 * <pre>load = peak(response time) * (outstanding + 1)</pre>
 *
 * where the response time jumps to every peak at once and falls back with a time constant of 10 s.
 * A replica that has not answered yet but was asked counts as very slow; one never asked as free.
 *
 * <p>Source: Finagle, {@code com.twitter.finagle.loadbalancer.PeakEwma}.
 */
final class PeakEwmaPolicy implements RankingPolicy {
  private static final double NEVER_ANSWERED_NANOS = 1e12;

  static final LoadSettings LOAD = LoadSettings.PAPER.withPeak(10_000_000_000L);

  @Override
  public void rank(Ranking ranking) {
    ranking.shuffle();
    if (ranking.size() > 1
        && load(ranking.get(1), ranking.nowNanos()) < load(ranking.get(0), ranking.nowNanos())) {
      ranking.swap(0, 1);
    }
  }

  private static double load(ReplicaLoad replica, long nowNanos) {
    int outstanding = replica.outstanding();
    if (!replica.hasResponded()) {
      return outstanding == 0 ? 0 : NEVER_ANSWERED_NANOS + outstanding;
    }
    return replica.peakResponseTimeNanos(nowNanos) * (outstanding + 1);
  }
}
