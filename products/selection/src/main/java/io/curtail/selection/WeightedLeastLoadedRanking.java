/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import io.curtail.selection.weighted.HealthSettings;
import io.curtail.selection.weighted.ReplicaHealth;
import io.curtail.selection.weighted.StartingRamp;
import io.curtail.selection.weighted.WeightedLeastLoaded;
import io.curtail.selection.weighted.Weights;

/**
 * Netflix's weighted least loaded, as the driver runs it: see {@link WeightedLeastLoaded}. The
 * weight of nodes that are no replicas does not arise here, and none is starting.
 */
final class WeightedLeastLoadedRanking implements RankingPolicy {
  static final LoadSettings LOAD = LoadSettings.PAPER.withMemory(Health::new);

  private final WeightedLeastLoaded formula = new WeightedLeastLoaded(Weights.NETFLIX);

  @Override
  public void rank(Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      ReplicaLoad replica = candidates.get(i);
      int key =
          formula.key(
              candidates.outstanding(i),
              (float) replica.distanceWeight(),
              ((Health) replica.memory()).health,
              StartingRamp.NONE,
              candidates.nowNanos(),
              (int) candidates.random().nextLong());
      candidates.score(i, key);
    }
    candidates.sortByScore(Integer.MAX_VALUE);
  }

  private static final class Health implements ReplicaMemory {
    final ReplicaHealth health = new ReplicaHealth(HealthSettings.DEFAULT);

    @Override
    public void onResponse(long elapsedNanos, long nowNanos) {
      health.succeeded(nowNanos);
    }

    @Override
    public void onFailure(long elapsedNanos, long nowNanos) {
      health.failed(nowNanos);
    }
  }
}
