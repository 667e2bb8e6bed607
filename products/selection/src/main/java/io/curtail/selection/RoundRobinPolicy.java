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
  public void rank(Ranking ranking) {
    if (ranking.size() > 1) {
      ranking.moveUp(Math.floorMod(turn.getAndIncrement(), ranking.size()), 0);
    }
  }
}
