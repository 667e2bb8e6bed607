/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Curtail's own ranking: C3's score, with the age of what is known in it.
 *
 * <pre>
 *   score(s) = (R(s) - S(s) + S(s) * q(s)^3) * (1 + u)                      lower is better
 *   q(s)     = 1 + max(0, outstanding(s) * w + inServer(s) + 1 - slots(s)) / slots(s)
 *   x(s)     = prior + (reported(s) - prior) / (1 + age(s) / memory)        for R - S, S, inServer
 * </pre>
 *
 * R is the average response time this client saw, S the average service time that the server
 * reported, both over elapsed time; inServer its reads waiting and being served; u is drawn from
 * [0, 1) for each replica and read.
 *
 * <p>Departures from C3 (Suresh et al., NSDI 2015), each for a reason that {@code curtail simulate}
 * shows: a report loses weight with its age, toward the group's mean, so that an avoided replica is
 * seen again without probes; reads are no queue while slots are free; the random band keeps clients
 * that know the same from choosing the same. There is no rate control.
 *
 * <p>What old reports cannot tell, servers that know better correct: see {@link
 * io.curtail.selection.passing.PassingRule}.
 */
final class CurtailPolicy implements RankingPolicy {
  static final LoadSettings LOAD = LoadSettings.perElapsedTime(20_000_000L);

  private final double clients;
  private final double memoryNanos;

  /**
   * @param clients w, at least 0
   * @param memoryNanos the age at which half of what a server reported is still believed
   */
  CurtailPolicy(double clients, long memoryNanos) {
    this.clients = clients;
    this.memoryNanos = memoryNanos;
  }

  @Override
  public void rank(Candidates candidates) {
    double inServer = 0;
    double serviceTime = 0;
    double overhead = 0;
    int reporting = 0;
    for (int i = 0; i < candidates.size(); i++) {
      ReplicaLoad replica = candidates.get(i);
      if (replica.hasFeedback() && replica.hasResponded()) {
        inServer += replica.lastWaiting() + replica.lastActive();
        serviceTime += replica.serviceTimeNanos();
        overhead += overhead(replica);
        reporting++;
      }
    }
    for (int i = 0; i < candidates.size(); i++) {
      ReplicaLoad replica = candidates.get(i);
      double score =
          !replica.hasResponded()
              ? Double.NaN
              : reporting == 0
                  ? withoutFeedback(replica, candidates.outstanding(i))
                  : withFeedback(
                      replica,
                      candidates.outstanding(i) * clients,
                      inServer / reporting,
                      serviceTime / reporting,
                      overhead / reporting,
                      candidates.nowNanos());
      double band = 1 + candidates.random().nextDouble();
      candidates.score(i, (score + replica.failurePenaltyNanos(candidates.nowNanos())) * band);
    }
    candidates.sortByScore(C3Policy.COLD_OUTSTANDING_LIMIT);
  }

  private static double overhead(ReplicaLoad replica) {
    return Math.max(0, replica.responseTimeNanos() - replica.serviceTimeNanos());
  }

  private double withoutFeedback(ReplicaLoad replica, int outstanding) {
    double queue = 1 + outstanding * clients;
    return replica.responseTimeNanos() * queue * queue * queue;
  }

  // A replica that reports nothing among others that do is taken for an average one.
  private double withFeedback(
      ReplicaLoad replica,
      double outstandingOfAll,
      double priorInServer,
      double priorServiceTime,
      double priorOverhead,
      long nowNanos) {
    double fresh =
        replica.hasFeedback()
            ? memoryNanos / (memoryNanos + replica.feedbackAgeNanos(nowNanos))
            : 0;
    double reported = replica.lastWaiting() + replica.lastActive();
    double inServer = priorInServer + fresh * (reported - priorInServer);
    double serviceTime = priorServiceTime + fresh * (replica.serviceTimeNanos() - priorServiceTime);
    double overhead = priorOverhead + fresh * (overhead(replica) - priorOverhead);
    double slots = Math.max(1, replica.slots());
    double queue = 1 + Math.max(0, outstandingOfAll + inServer + 1 - slots) / slots;
    return overhead + serviceTime * queue * queue * queue;
  }
}
