/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * Tars: C3's score by what a server's queue should be by now, if its last report is fresh, and
 * without it otherwise.
 *
 * <pre>
 *   score(s) = R(s) - S(s) + q(s)^3 * S(s)                                        lower is better
 *   q(s)     = 1 + outstanding(s) * w + max(0, Q(s) + (lambda(s) - mu(s)) * age(s))   age &lt; 100 ms
 *   q(s)     = 1 + outstanding(s) * w                                                  otherwise
 * </pre>
 *
 * R and S are C3's averages, Q is the queue last reported, age is that of the report, mu is {@code
 * slots / S}. A replica without a fresh report that was passed over {@value #MOST_PASSED_OVER}
 * times is tried.
 *
 * <p><b>A reconstruction</b>: Jiang, Fang, Xie, Zhou, Wang, "Tars: Timeliness-aware Adaptive
 * Replica Selection for Key-Value Stores", ICCCN 2017 (arXiv 1702.08172), of which only the
 * abstract was at hand; the formula is as we remember it. Servers do not report their arrivals
 * here, so lambda is w times this client's rate of answers, and mu's S a slower average than C3's;
 * the number of times is the best of 4, 16 and 64. The paper also revises C3's rate control, which
 * is left out.
 */
final class TarsPolicy implements RankingPolicy {
  static final LoadSettings LOAD = LoadSettings.PAPER.withMemory(Rates::new);

  static final int MOST_PASSED_OVER = 16;

  private static final long FRESH_NANOS = 100_000_000L;

  private final double clients;

  /**
   * @param clients w, at least 0
   */
  TarsPolicy(double clients) {
    this.clients = clients;
  }

  @Override
  public void rank(Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      candidates.score(i, score(candidates, i));
    }
    candidates.sortByScore(C3Policy.COLD_OUTSTANDING_LIMIT);
    for (int i = 0; candidates.size() > 1 && i < candidates.size(); i++) {
      Rates rates = rates(candidates, i);
      rates.passedOver = i == 0 ? 0 : rates.passedOver + 1;
    }
  }

  private double score(Candidates candidates, int place) {
    ReplicaLoad replica = candidates.get(place);
    Rates rates = rates(candidates, place);
    if (!replica.hasResponded()) {
      return Double.NaN;
    }
    long age = replica.feedbackAgeNanos(candidates.nowNanos());
    boolean fresh = replica.hasFeedback() && age < FRESH_NANOS;
    if (!fresh && rates.passedOver >= MOST_PASSED_OVER) {
      return 0;
    }
    double queue = 1 + candidates.outstanding(place) * clients;
    if (fresh) {
      double growth = clients * rates.answersPerNano() - rates.servicesPerNano();
      queue += Math.max(0, replica.lastWaiting() + growth * age);
    }
    double serviceTime =
        replica.hasFeedback() ? replica.serviceTimeNanos() : replica.responseTimeNanos();
    return replica.responseTimeNanos()
        - serviceTime
        + queue * queue * queue * serviceTime
        + replica.failurePenaltyNanos(candidates.nowNanos());
  }

  private static Rates rates(Candidates candidates, int place) {
    return (Rates) candidates.get(place).memory();
  }

  /**
   * How often a replica answers this client, how fast it serves, and how often it was not first.
   */
  private static final class Rates implements ReplicaMemory {
    private static final double NEW_SAMPLE_WEIGHT = 0.3;

    int passedOver;
    private long answeredAtNanos;
    private double intervalNanos;
    private double serviceNanos;
    private int slots;
    private boolean answered;

    @Override
    public void onResponse(long elapsedNanos, long nowNanos) {
      if (answered) {
        intervalNanos = average(intervalNanos, (double) Math.max(1, nowNanos - answeredAtNanos));
      }
      answered = true;
      answeredAtNanos = nowNanos;
    }

    @Override
    public void onFeedback(Feedback feedback, int outstanding) {
      serviceNanos = average(serviceNanos, (double) Math.max(1, feedback.serviceTimeNanos()));
      slots = Math.max(1, feedback.slots());
    }

    private static double average(double before, double sample) {
      return before == 0 ? sample : before + NEW_SAMPLE_WEIGHT * (sample - before);
    }

    /** Returns 0 until it is known. */
    double answersPerNano() {
      return intervalNanos == 0 ? 0 : 1 / intervalNanos;
    }

    /** Returns 0 until arrivals are known too: a rate by itself says nothing of a queue. */
    double servicesPerNano() {
      return intervalNanos == 0 ? 0 : slots / serviceNanos;
    }
  }
}
