/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.passing;

import io.curtail.selection.ReplicaLoad;

/**
 * Tells a read that is about to leave, or to be kept, of the queues that its coordinator knows of,
 * where every replica of the read has one. A {@link PassingRule} takes a replica of which nothing
 * is known to be free; of saturated ones that costs a message each to be told that they are not,
 * and each gets the read at the end of its queue.
 *
 * <p>One that may be free is worth a try, so while there is one nothing is told. Thread-safe, but
 * for the route, which belongs to the read.
 */
public final class KnownQueues {
  private KnownQueues() {}

  /**
   * Notes what a read is expected to take at each replica but the one that decides first.
   *
   * @param at the place in the route of that one
   * @param loads what is known of the replicas, by place
   */
  public static void tell(Route route, int at, ReplicaLoad[] loads, long nowNanos) {
    for (ReplicaLoad load : loads) {
      if (!load.hasLongQueue(nowNanos)) {
        return;
      }
    }
    for (int place = 0; place < loads.length; place++) {
      if (place != at) {
        ReplicaLoad load = loads[place];
        route.note(place, load.queuedReadNanos(), load.feedbackAgeNanos(nowNanos));
      }
    }
  }
}
