/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * LOR: the replica with the fewest of this client's requests unanswered.
 *
 * <p>Ties are broken at random, or by the order of the ring as the C3 authors' simulator does; with
 * many clients most counts are 0, so the rule for ties decides much of the load.
 */
final class LeastOutstandingPolicy implements RankingPolicy {
  private final boolean tiesInOrder;

  LeastOutstandingPolicy(boolean tiesInOrder) {
    this.tiesInOrder = tiesInOrder;
  }

  @Override
  public void rank(Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      candidates.score(i, candidates.outstanding(i));
    }
    if (tiesInOrder) {
      candidates.sortByScoreInOrder();
    } else {
      candidates.sortByScore(Integer.MAX_VALUE);
    }
  }
}
