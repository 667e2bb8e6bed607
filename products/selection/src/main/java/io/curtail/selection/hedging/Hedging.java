/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.util.function.IntFunction;

/**
 * Whether a request that waits for a slow replica is sent to another one too; for a client that
 * knows of its servers what it sees by itself.
 *
 * <p>Copies make work, and work makes servers slow, so what makes copies must not be what they
 * make. Therefore:
 *
 * <ul>
 *   <li>The delay is a quantile of the response times of the replica that was asked, whether its
 *       answer was waited for or not, or what the quickest other replica needs if that is longer.
 *       Copies that win do not shorten it. A request that only probes a replica waits as long as
 *       for the better one.
 *   <li>While copies cost more than they may, a copy is due later, after up to {@value
 *       #MOST_PATIENCE} times the delay: a request is asked for once, and what was saved is then
 *       there for those that wait for a replica that stands still.
 *   <li>Copies are paid for with a share of the answers, in the session and at the replica that
 *       gets them. An answer earns at most as one that takes as long as usual; a copy costs at
 *       least that, and what it took beyond, at most {@value #MOST_COST} usual answers. Usual is
 *       what the replica itself usually takes: it does not work longer for who is far away.
 *   <li>There is none while more than half of the answers come from replicas that are slower than
 *       usual: there is no room, or the client itself is slow.
 *   <li>A replica that is slower than usual, owes an answer for long, or would not answer within
 *       the time that the request has waited already, gets none.
 * </ul>
 *
 * <p>One instance a client, one {@link ReplicaTail} a replica. Thread-safe, lock-free.
 */
public final class Hedging {
  /** What becomes of a request that has waited for the delay. */
  public enum Verdict {
    /** Send a copy. */
    COPY,
    /** The copies so far cost all that they may. */
    NO_BUDGET,
    /** Too many of the latest answers were slow. */
    CONGESTED,
    /** The replica is slower than usual, or not known. */
    NO_ROOM,
    /** The replica would not have answered by now, had it been asked at first. */
    TOO_EARLY
  }

  /** The most that can be asked for. */
  public static final double MOST_SHARE = 0.2;

  private static final double SLOW_ANSWERS_ALLOWED = 0.5;
  private static final long BURST = 100;
  private static final double MOST_PATIENCE = 4;

  /** A node that stood still took long, but did not work for so long. */
  private static final long MOST_COST = 16;

  private final double share;
  private final WorkBudget budget;
  private final Congestion congestion = new Congestion(SLOW_ANSWERS_ALLOWED);

  /**
   * @param share of the requests that may get a second copy, above 0, at most {@value #MOST_SHARE}
   * @throws IllegalArgumentException if the share is out of its range
   */
  public Hedging(double share) {
    if (!(share > 0 && share <= MOST_SHARE)) {
      throw new IllegalArgumentException(
          "the share of second copies must be above 0 and at most "
              + MOST_SHARE
              + ", not "
              + share);
    }
    this.share = share;
    this.budget = new WorkBudget(share, BURST);
  }

  /** Returns what is to be kept of a replica. */
  public ReplicaTail newTail() {
    return new ReplicaTail(share);
  }

  /**
   * A replica answered a request well.
   *
   * @param elapsedNanos since the request left for it
   * @param copied whether {@link #overdue} was called for the request
   */
  public void answered(ReplicaTail replica, long elapsedNanos, boolean copied, long nowNanos) {
    replica.answered(elapsedNanos, copied, nowNanos);
    congestion.onAnswer(replica.isSlow());
    budget.onWork(replica.work(elapsedNanos), ReplicaTail.USUAL_WORK);
  }

  /**
   * Returns after how long without an answer a request to the replica is to be copied; 0 if that is
   * not known yet.
   */
  public long delayNanos(ReplicaTail replica) {
    return (long) (patience(replica) * replica.delayNanos());
  }

  /**
   * The same, of a replica that may have stopped before it could ever answer: until it has, that of
   * the one among all with the longest.
   *
   * @param replicas how many there are
   * @param tails of them, by number
   */
  public long delayNanos(ReplicaTail replica, int replicas, IntFunction<ReplicaTail> tails) {
    long delay = delayNanos(replica);
    if (delay > 0) {
      return delay;
    }
    long longest = 0;
    for (int i = 0; i < replicas; i++) {
      longest = Math.max(longest, delayNanos(tails.apply(i)));
    }
    return longest;
  }

  /** What is still saved pays for the next copies; without room there will be none. */
  private double patience(ReplicaTail replica) {
    if (replica.usualNanos() == 0 || congestion.isHigh()) {
      return MOST_PATIENCE;
    }
    return MOST_PATIENCE - (MOST_PATIENCE - 1) * budget.saved(ReplicaTail.USUAL_WORK);
  }

  /** A request that waits for the replica is copied. */
  public void overdue(ReplicaTail silent) {
    silent.overdue();
  }

  /** Returns whether any replica may get a copy now. */
  public Verdict verdict() {
    if (congestion.isHigh()) {
      return Verdict.CONGESTED;
    }
    return budget.allows() ? Verdict.COPY : Verdict.NO_BUDGET;
  }

  /**
   * Returns whether this replica may get a copy of a request.
   *
   * @param expectedNanos how long its answer is expected to take now, overdue answers included
   * @param waitedNanos how long the request has waited for the first replica
   */
  public Verdict verdict(ReplicaTail replica, double expectedNanos, long waitedNanos) {
    if (!isWell(replica, expectedNanos)) {
      return Verdict.NO_ROOM;
    }
    if (expectedNanos > waitedNanos) {
      return Verdict.TOO_EARLY;
    }
    return replica.budget().allows() ? Verdict.COPY : Verdict.NO_BUDGET;
  }

  /** Returns whether a replica is known, and not slower now than usual. */
  public boolean isWell(ReplicaTail replica, double expectedNanos) {
    double usual = replica.usualNanos();
    return usual > 0 && expectedNanos <= ReplicaTail.SLOW * usual;
  }

  /**
   * A copy was due. The next one of the same replica's requests is not due before another replica
   * could have answered.
   *
   * @param leastNanos how long the quickest of those that are well is expected to need
   */
  public void others(ReplicaTail silent, double leastNanos) {
    silent.others(leastNanos);
  }

  /**
   * A copy leaves for a replica.
   *
   * @return how long it may take before it costs more than a usual answer, for {@link #ended}
   */
  public long sent(ReplicaTail replica) {
    spend(replica, ReplicaTail.USUAL_WORK);
    return Math.max(1, (long) replica.usualNanos());
  }

  /**
   * A request with a copy was answered.
   *
   * @param replica that got the copy
   * @param usualNanos what {@link #sent} returned
   * @param won whether the copy was answered first
   * @param copyNanos since the copy left
   */
  public void ended(ReplicaTail replica, long usualNanos, boolean won, long copyNanos) {
    // What it will have taken if it is still at work: that much again is to be expected.
    double took = (won ? copyNanos : copyNanos + usualNanos) / (double) usualNanos;
    double cost = Math.min(took, MOST_COST);
    if (cost > 1) {
      spend(replica, (long) (ReplicaTail.USUAL_WORK * (cost - 1)));
    }
  }

  /** A replica refused a copy at once, as it had no free thread: it cost nothing. */
  public void refused(ReplicaTail replica) {
    spend(replica, -ReplicaTail.USUAL_WORK);
  }

  private void spend(ReplicaTail replica, long work) {
    budget.onExtraWork(work);
    replica.budget().onExtraWork(work);
  }
}
