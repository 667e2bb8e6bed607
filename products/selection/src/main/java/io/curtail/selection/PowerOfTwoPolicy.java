/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * The less loaded of two replicas drawn at random; the others follow at random. Load is this
 * client's outstanding requests.
 *
 * <p>Reference: Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", IEEE TPDS
 * 2001.
 */
final class PowerOfTwoPolicy implements RankingPolicy {
  @Override
  public void rank(Candidates candidates) {
    candidates.shuffle();
    if (candidates.size() > 1 && candidates.outstanding(1) < candidates.outstanding(0)) {
      candidates.swap(0, 1);
    }
  }
}
