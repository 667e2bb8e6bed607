/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import io.curtail.selection.Candidates;
import io.curtail.selection.ReplicaLoad;
import java.util.function.Function;

/**
 * C3's rate control at a read: it may go to the best replica whose rate has a permit left, and
 * waits if none has. Belongs to one thread, as its candidates do.
 */
public final class RankedPermits {
  /** {@link #tryTake}'s answer when no replica has a permit. */
  public static final int NONE = -1;

  private final Function<ReplicaLoad, RateControl> rateOf;
  private long waitNanos;

  /**
   * @param rateOf a replica's rate control; null for a replica without a limit
   */
  public RankedPermits(Function<ReplicaLoad, RateControl> rateOf) {
    this.rateOf = rateOf;
  }

  /**
   * Takes a permit of the best replica that has one.
   *
   * @param candidates ranked
   * @return the replica's place, or {@link #NONE}
   */
  public int tryTake(Candidates candidates, long nowNanos) {
    waitNanos = Long.MAX_VALUE;
    for (int place = 0; place < candidates.size(); place++) {
      RateControl rate = rateOf.apply(candidates.get(place));
      long wait = rate == null ? 0 : rate.tryAcquire(nowNanos);
      if (wait == 0) {
        return place;
      }
      waitNanos = Math.min(waitNanos, wait);
    }
    return NONE;
  }

  /**
   * Returns how long after the last {@link #tryTake} without a permit the first replica may have
   * one.
   */
  public long waitNanos() {
    return waitNanos;
  }
}
