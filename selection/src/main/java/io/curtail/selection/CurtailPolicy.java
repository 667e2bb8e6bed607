/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Curtail's own ranking: the least time expected until the answer.
 *
 * <pre>
 *   expected(s) = network(s) + S(s) * (1 + max(0, inServer(s) + 1 - slots(s)) / slots(s))
 *   inServer(s) = own(s) + reported(s) * f + prior * (1 - f),   f = 1 / (1 + age / memory)
 * </pre>
 *
 * What the server reported loses weight with its age, toward what the group reports on average;
 * what this client sent since counts in full. S is averaged over elapsed time.
 */
final class CurtailPolicy implements RankingPolicy {
  static final LoadSettings LOAD = LoadSettings.perElapsedTime(50_000_000L);

  private final double memoryNanos;

  /**
   * @param memoryNanos the age at which half of what a server reported is still believed
   */
  CurtailPolicy(long memoryNanos) {
    this.memoryNanos = memoryNanos;
  }

  @Override
  public void rank(Ranking ranking) {
    double reported = 0;
    double serviceTime = 0;
    int reporting = 0;
    for (int i = 0; i < ranking.size(); i++) {
      ReplicaLoad replica = ranking.get(i);
      if (replica.hasFeedback()) {
        reported += replica.lastWaiting() + replica.lastActive();
        serviceTime += replica.serviceTimeNanos();
        reporting++;
      }
    }
    for (int i = 0; i < ranking.size(); i++) {
      ReplicaLoad replica = ranking.get(i);
      ranking.score(
          i,
          replica.hasResponded()
              ? expectedNanos(
                  replica, reporting, reported / reporting, serviceTime / reporting, ranking)
              : Double.NaN);
    }
    ranking.sortByScore(C3Policy.COLD_OUTSTANDING_LIMIT);
  }

  private double expectedNanos(
      ReplicaLoad replica,
      int reporting,
      double priorInServer,
      double priorServiceTime,
      Ranking ranking) {
    int outstanding = replica.outstanding();
    double penalty = replica.failurePenaltyNanos(ranking.nowNanos());
    if (!replica.hasFeedback()) {
      double serviceTime =
          reporting == 0
              ? replica.responseTimeNanos()
              : Math.min(replica.responseTimeNanos(), priorServiceTime);
      return replica.responseTimeNanos() + outstanding * serviceTime + penalty;
    }
    double fresh = memoryNanos / (memoryNanos + replica.feedbackAgeNanos(ranking.nowNanos()));
    double reported = replica.lastWaiting() + replica.lastActive();
    double since = Math.max(0, outstanding - replica.outstandingAtFeedback());
    double inServer = since + priorInServer + fresh * (reported - priorInServer);
    double serviceTime = priorServiceTime + fresh * (replica.serviceTimeNanos() - priorServiceTime);
    double slots = Math.max(1, replica.slots());
    return serviceTime * (1 + Math.max(0, inServer + 1 - slots) / slots) + penalty;
  }
}
