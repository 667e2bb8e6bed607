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

  static final LoadSettings LOAD = LoadSettings.PAPER.withMemory(Peak::new);

  @Override
  public void rank(Candidates candidates) {
    candidates.shuffle();
    if (candidates.size() > 1 && load(candidates, 1) < load(candidates, 0)) {
      candidates.swap(0, 1);
    }
  }

  private static double load(Candidates candidates, int place) {
    ReplicaLoad replica = candidates.get(place);
    int outstanding = candidates.outstanding(place);
    if (!replica.hasResponded()) {
      return outstanding == 0 ? 0 : NEVER_ANSWERED_NANOS + outstanding;
    }
    return ((Peak) replica.memory()).nanos(candidates.nowNanos()) * (outstanding + 1);
  }

  /** A response time that rises at once and falls back slowly. */
  static final class Peak implements ReplicaMemory {
    private static final double MEMORY_NANOS = 1e10;

    private double peakNanos;
    private long updatedAtNanos;

    @Override
    public void onResponse(long elapsedNanos, long nowNanos) {
      double faded = weight(nowNanos) * (peakNanos - elapsedNanos);
      peakNanos = elapsedNanos + Math.max(0, faded);
      updatedAtNanos = nowNanos;
    }

    private double weight(long nowNanos) {
      double age = Math.max(0, nowNanos - updatedAtNanos);
      return Math.exp(-age / MEMORY_NANOS);
    }

    double nanos(long nowNanos) {
      return peakNanos == 0 ? 0 : weight(nowNanos) * peakNanos;
    }
  }
}
