/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.concurrent.atomic.AtomicInteger;

/** Starts one replica further along the ring with each read of this client. */
final class RoundRobinPolicy implements RankingPolicy {
  private final AtomicInteger turn = new AtomicInteger();

  @Override
  public void rank(Candidates candidates) {
    if (candidates.size() > 1) {
      candidates.moveUp(Math.floorMod(turn.getAndIncrement(), candidates.size()), 0);
    }
  }
}
