/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Netflix's weighted least loaded: the fewest of this client's outstanding requests, each weighted
 * by how far the replica is (4 outside the client's rack) and by 64 if it is unhealthy, ties at
 * random.
 *
 * <pre>load = (outstanding + 1) * distanceWeight * (unhealthy ? 64 : 1)</pre>
 *
 * A replica is unhealthy when at least 10 requests are outstanding and fewer than two were answered
 * in the last 200 ms.
 *
 * <p>Source: apache/cassandra-java-driver pull request 1922. The weight of nodes that are no
 * replicas does not arise here: only replicas are ranked.
 */
final class WeightedLeastLoadedPolicy implements RankingPolicy {
  static final LoadSettings LOAD = DriverDefaultPolicy.LOAD;
  private static final double UNHEALTHY_WEIGHT = 64;

  @Override
  public void rank(Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      ReplicaLoad replica = candidates.get(i);
      double weight = replica.distanceWeight();
      if (DriverDefaultPolicy.isUnhealthy(candidates, i)) {
        weight *= UNHEALTHY_WEIGHT;
      }
      candidates.score(i, (candidates.outstanding(i) + 1) * weight);
    }
    candidates.sortByScore(Integer.MAX_VALUE);
  }
}
