/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/** Any replica, uniformly: knows nothing, and the reference for what knowing is worth. */
final class RandomPolicy implements RankingPolicy {
  @Override
  public void rank(Candidates candidates) {
    candidates.shuffle();
  }
}
