/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * C3's ranking: prefers the replica with the lowest
 *
 * <pre>
 *   score(s) = R(s) - S(s) + q(s)^b * S(s)
 *   q(s)     = 1 + outstanding(s) * w + Q(s)
 * </pre>
 *
 * R is the average response time this client saw, S the average service time and Q the average
 * queue that the server reported, b = 3, and w the number of clients: each is taken to do what this
 * one does.
 *
 * <p>Reference: Suresh, Canini, Schmid, Feldmann, "C3: Cutting Tail Latency in Cloud Data Stores
 * via Adaptive Replica Selection", NSDI 2015.
 *
 * <p>Departures: a replica that never answered has the median score and a limit on what is
 * outstanding (the authors' code scores it 0, the best, and floods it); one without feedback has
 * the service time min(R, median S of the others) and their median queue; failures add a penalty
 * that fades; and the score may decay toward the group's median with the age of the last answer,
 * which changes no order of three replicas. Cassandra 2.0's read repair kept the scores fresh in
 * the paper; probes must do so today.
 */
final class C3Policy implements RankingPolicy {
  static final int COLD_OUTSTANDING_LIMIT = 2;

  private final double exponent;
  private final double clients;
  private final long decayNanos;

  /**
   * @param exponent b, at least 1
   * @param clients w, at least 0
   * @param decayNanos the age at which a score is half way to the group's median; 0 for never
   */
  C3Policy(double exponent, double clients, long decayNanos) {
    this.exponent = exponent;
    this.clients = clients;
    this.decayNanos = decayNanos;
  }

  @Override
  public void rank(Ranking ranking) {
    boolean complete = true;
    for (int i = 0; i < ranking.size(); i++) {
      ReplicaLoad replica = ranking.get(i);
      complete &= replica.hasResponded() && replica.hasFeedback();
      ranking.score(i, score(replica, ranking.nowNanos()));
    }
    if (!complete) {
      imputeMissingFeedback(ranking);
    }
    if (decayNanos > 0) {
      ranking.decayTowardMedian(decayNanos);
    }
    ranking.sortByScore(COLD_OUTSTANDING_LIMIT);
  }

  private double score(ReplicaLoad replica, long nowNanos) {
    int outstanding = replica.outstanding();
    return replica.hasResponded()
        ? formula(replica, outstanding, replica.serviceTimeNanos(), replica.waiting(), nowNanos)
        : Double.NaN;
  }

  private double formula(
      ReplicaLoad replica, int outstanding, double serviceTime, double waiting, long nowNanos) {
    double queue = 1 + outstanding * clients + waiting;
    double power = exponent == 3 ? queue * queue * queue : Math.pow(queue, exponent);
    return replica.responseTimeNanos()
        - serviceTime
        + power * serviceTime
        + replica.failurePenaltyNanos(nowNanos);
  }

  // Rare: a peer without the plug-in, or all of them.
  private void imputeMissingFeedback(Ranking ranking) {
    double serviceTime = ranking.medianOfReporting(ReplicaLoad::serviceTimeNanos);
    double median = ranking.medianOfReporting(ReplicaLoad::waiting);
    double waiting = median == Double.POSITIVE_INFINITY ? 0 : median;
    for (int i = 0; i < ranking.size(); i++) {
      ReplicaLoad replica = ranking.get(i);
      if (replica.hasResponded() && !replica.hasFeedback()) {
        double ownServiceTime = Math.min(replica.responseTimeNanos(), serviceTime);
        ranking.score(
            i,
            formula(replica, replica.outstanding(), ownServiceTime, waiting, ranking.nowNanos()));
      }
    }
  }
}
