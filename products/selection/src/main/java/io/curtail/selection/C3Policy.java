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
 * <p>Per slot, a departure that pays in a real node: outstanding and waiting reads are divided by
 * the reads that the server serves at once. Otherwise one read on its way to a replica, taken for
 * five because there are five clients, makes a queue of six and a score of 216 service times: more
 * than the wait for a slow disk, though the replica's four threads are free. Its averages are over
 * elapsed time, not over samples, so that a replica asked often and one asked rarely compare.
 *
 * <p>Also per slot, b is 1 while a replica's service time alone is over {@link ReplicaLoad#FAR}
 * times what another takes for all that waits there: the cube would send reads to the slow one
 * because each of the others has a read.
 *
 * <p>Further departures: a replica that never answered has the median score and a limit on what is
 * outstanding (the authors' code scores it 0, the best, and floods it); one without feedback has
 * the service time min(R, median S of the others) and their median queue; and failures add a
 * penalty that fades. Cassandra 2.0's read repair kept the scores fresh in the paper; probes must
 * do so today.
 */
final class C3Policy implements RankingPolicy {
  static final int COLD_OUTSTANDING_LIMIT = 2;

  /** A single answer that met a pause does not move the average as it does in the paper's. */
  static final LoadSettings PER_SLOT_LOAD =
      LoadSettings.perElapsedTime(LoadSettings.USUAL_AVERAGING_NANOS);

  private final double exponent;
  private final double clients;
  private final boolean perSlot;

  /**
   * @param exponent b, at least 1
   * @param clients w, at least 0
   * @param perSlot whether a queue is divided by what the server serves at once
   */
  C3Policy(double exponent, double clients, boolean perSlot) {
    this.exponent = exponent;
    this.clients = clients;
    this.perSlot = perSlot;
  }

  @Override
  public void rank(Candidates candidates) {
    boolean complete = true;
    double power = perSlot && isOneFarSlower(candidates) ? 1 : exponent;
    for (int i = 0; i < candidates.size(); i++) {
      ReplicaLoad replica = candidates.get(i);
      complete &= replica.hasResponded() && replica.hasFeedback();
      candidates.score(i, score(replica, candidates.outstanding(i), power, candidates.nowNanos()));
    }
    if (!complete) {
      imputeMissingFeedback(candidates, power);
    }
    candidates.sortByScore(COLD_OUTSTANDING_LIMIT);
  }

  private static boolean isOneFarSlower(Candidates candidates) {
    double longestService = 0;
    double leastQueue = Double.POSITIVE_INFINITY;
    for (int i = 0; i < candidates.size(); i++) {
      ReplicaLoad replica = candidates.get(i);
      if (replica.hasFeedback()) {
        longestService = Math.max(longestService, replica.serviceTimeNanos());
        leastQueue = Math.min(leastQueue, replica.queueNanos(candidates.outstanding(i)));
      }
    }
    return longestService > ReplicaLoad.FAR * leastQueue;
  }

  private double score(ReplicaLoad replica, int outstanding, double power, long nowNanos) {
    return replica.hasResponded()
        ? formula(
            replica,
            outstanding,
            replica.serviceTimeNanos(),
            replica.waiting(),
            perSlot ? replica.slots() : 1,
            power,
            nowNanos)
        : Double.NaN;
  }

  private double formula(
      ReplicaLoad replica,
      int outstanding,
      double serviceTime,
      double waiting,
      double slots,
      double power,
      long nowNanos) {
    double queue = 1 + (outstanding * clients + waiting) / Math.max(1, slots);
    double counted =
        power == 3 ? queue * queue * queue : power == 1 ? queue : Math.pow(queue, power);
    return replica.responseTimeNanos()
        - serviceTime
        + counted * serviceTime
        + replica.failurePenaltyNanos(nowNanos);
  }

  // Rare: a peer without the plug-in, or all of them.
  private void imputeMissingFeedback(Candidates candidates, double power) {
    double serviceTime = candidates.medianOfReporting(ReplicaLoad::serviceTimeNanos);
    boolean anyReports = serviceTime < Double.POSITIVE_INFINITY;
    double waiting = anyReports ? candidates.medianOfReporting(ReplicaLoad::waiting) : 0;
    double slots = perSlot && anyReports ? candidates.medianOfReporting(ReplicaLoad::slots) : 1;
    for (int i = 0; i < candidates.size(); i++) {
      ReplicaLoad replica = candidates.get(i);
      if (replica.hasResponded() && !replica.hasFeedback()) {
        double ownServiceTime = Math.min(replica.responseTimeNanos(), serviceTime);
        candidates.score(
            i,
            formula(
                replica,
                candidates.outstanding(i),
                ownServiceTime,
                waiting,
                slots,
                power,
                candidates.nowNanos()));
      }
    }
  }
}
