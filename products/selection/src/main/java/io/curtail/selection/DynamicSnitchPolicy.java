/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Cassandra 5.0's dynamic snitch: the lowest median response time, in whole milliseconds, of a
 * reservoir of 100 samples, looked at every 100 ms and emptied every 10 minutes. A node without
 * samples has the score 0.
 *
 * <p>The order of the ring stands unless some replica's score is more than {@code 1 +
 * badnessThreshold} times the score that a sorted order has at its place; then all are sorted. The
 * threshold is 1.0 in stock Cassandra 5.0; 0 is the policy's best case.
 *
 * <p>Source: Cassandra 5.0.9, {@code org.apache.cassandra.locator.DynamicEndpointSnitch}. Not
 * modelled: severity (I/O wait through gossip), which stock code adds only if it is reported.
 */
final class DynamicSnitchPolicy implements RankingPolicy {
  static final LoadSettings LOAD = load(0.5, 1_000_000);

  /**
   * As DataStax runs it: medians of fast reads are 0 ms, all alike. A reconstruction from what pull
   * request 1442 of datastax/cassandra says of itself and of DSE.
   */
  static final LoadSettings P90_LOAD = load(0.9, 1_000);

  private final double badnessThreshold;

  DynamicSnitchPolicy(double badnessThreshold) {
    this.badnessThreshold = badnessThreshold;
  }

  private static LoadSettings load(double quantile, long unitNanos) {
    return LoadSettings.PAPER.withMemory(() -> new SampleReservoir(100, quantile, unitNanos));
  }

  @Override
  public void rank(Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      SampleReservoir reservoir = (SampleReservoir) candidates.get(i).memory();
      candidates.score(i, reservoir.units(candidates.nowNanos()));
    }
    if (badnessThreshold == 0 || hasBadPlace(candidates)) {
      candidates.sortByScoreInOrder();
    }
  }

  // The k-th lowest score is found by counting: no scratch space, and the replicas are few.
  private boolean hasBadPlace(Candidates candidates) {
    for (int place = 0; place < candidates.size(); place++) {
      if (candidates.score(place) > lowest(place, candidates) * (1 + badnessThreshold)) {
        return true;
      }
    }
    return false;
  }

  private static double lowest(int rank, Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      int below = 0;
      int equal = 0;
      for (int j = 0; j < candidates.size(); j++) {
        below += candidates.score(j) < candidates.score(i) ? 1 : 0;
        equal += candidates.score(j) == candidates.score(i) ? 1 : 0;
      }
      if (below <= rank && rank < below + equal) {
        return candidates.score(i);
      }
    }
    throw new AssertionError("a rank outside the candidates: " + rank);
  }
}
