/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import io.curtail.selection.hedging.Hedging.Verdict;

/**
 * Chooses the replica that gets the second copy of one request, of those that were not asked: among
 * those that {@link Hedging} lets have one, that with the least of
 *
 * <pre>
 *   expected x (1 + outstanding) x distance        expected = response time now + overdue
 * </pre>
 *
 * For one request; not thread-safe.
 */
public final class CopyChoice {
  private static final int NOBODY = -1;

  private final Hedging hedging;
  private final long waitedNanos;
  private final long nowNanos;
  private Verdict verdict = Verdict.NO_ROOM;
  private int best = NOBODY;
  private float least = Float.POSITIVE_INFINITY;
  private double soonestNanos = Double.POSITIVE_INFINITY;

  /**
   * @param waitedNanos how long the request has waited for the first replica
   */
  public CopyChoice(Hedging hedging, long waitedNanos, long nowNanos) {
    this.hedging = hedging;
    this.waitedNanos = waitedNanos;
    this.nowNanos = nowNanos;
  }

  /**
   * A replica that was not asked.
   *
   * @param place what {@link #best} calls it, at least 0
   * @param overdueNanos for how long it has owed an answer beyond what it usually needs; 0 if it
   *     does not
   * @param failing whether it answers with errors
   * @param outstanding this client's requests that it has not answered
   * @param distance how much further away than the nearest it counts, at least 1
   */
  public void offer(
      int place,
      ReplicaTail replica,
      double overdueNanos,
      boolean failing,
      int outstanding,
      float distance) {
    if (failing) {
      return;
    }
    double expected = replica.recentNanos(nowNanos) + overdueNanos;
    if (hedging.isWell(replica, expected)) {
      soonestNanos = Math.min(soonestNanos, expected);
    }
    Verdict own = hedging.verdict(replica, expected, waitedNanos);
    if (own == Verdict.COPY) {
      float score = (float) expected * (1 + outstanding) * distance;
      if (score < least) {
        least = score;
        best = place;
      }
    } else if (own == Verdict.NO_BUDGET
        || (own == Verdict.TOO_EARLY && verdict == Verdict.NO_ROOM)) {
      verdict = own;
    }
  }

  /**
   * All were offered.
   *
   * @param silent the replica that was asked first
   * @return {@link Verdict#COPY} if {@link #best} gets the copy, or why nobody does
   */
  public Verdict verdict(ReplicaTail silent) {
    if (soonestNanos < Double.POSITIVE_INFINITY) {
      hedging.others(silent, soonestNanos);
    }
    return best == NOBODY ? verdict : Verdict.COPY;
  }

  /** Returns the place of the replica that gets the copy, if one does. */
  public int best() {
    return best;
  }
}
