/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Elasticsearch's adaptive replica selection: C3's score with averages in which a new sample weighs
 * 0.3 and without rate control. With each read, what is known of the replicas not chosen takes a
 * step toward what is known of the chosen one, so that they are tried again.
 *
 * <p>Source: Elasticsearch, {@code ResponseCollectorService} and {@code
 * OperationRouting.rankShardsAndUpdateStats}; the formula as corrected in pull request 70283. The
 * weight of outstanding requests is the number of clients; Elasticsearch takes its nodes for them.
 */
final class AdaptiveReplicaSelectionPolicy implements RankingPolicy {
  private static final double NEW_SAMPLE_WEIGHT = 0.3;

  static final LoadSettings LOAD = LoadSettings.perSample(NEW_SAMPLE_WEIGHT);

  private final C3Policy score;

  AdaptiveReplicaSelectionPolicy(double clients) {
    this.score = new C3Policy(3, clients, false);
  }

  @Override
  public void rank(Candidates candidates) {
    score.rank(candidates);
    ReplicaLoad chosen = candidates.get(0);
    if (!chosen.hasResponded()) {
      return;
    }
    for (int i = 1; i < candidates.size(); i++) {
      if (candidates.get(i).hasResponded()) {
        candidates.get(i).blendToward(chosen, NEW_SAMPLE_WEIGHT);
      }
    }
  }
}
