/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the policy knows of one live node of the local data centre. A node that goes down and comes
 * back gets a new one, with nothing held against it but its ramp. Thread-safe.
 */
class TrackedNode {
  final Node node;

  /** True also when no local rack is set. */
  final boolean inLocalRack;

  final NodeHealth health = new NodeHealth();
  final StartingRamp ramp;

  /** How often the node came first in a plan; counted only when metrics are on. */
  final LongAdder firstChoices = new LongAdder();

  /*
   * Looking the pool up for each candidate of each plan would be most of what a plan costs. A pool
   * without connections was closed or replaced, and is looked up again.
   */
  private volatile ChannelPool pool;

  TrackedNode(Node node, boolean inLocalRack, StartingRamp ramp) {
    this.node = node;
    this.inLocalRack = inLocalRack;
    this.ramp = ramp;
  }

  /**
   * The requests in flight from this client, with those that the client has given up on but the
   * node has not answered: it is likely to be still at work on them.
   *
   * @param pools the session's; empty if there is no session
   */
  int inFlight(Map<Node, ChannelPool> pools) {
    ChannelPool known = pool;
    if (known == null || known.size() == 0) {
      known = pools.get(node);
      if (known == null) {
        return 0;
      }
      pool = known;
    }
    return known.getInFlight();
  }

  /** Whether it stalls or fails, by the pool that was looked at last: for metrics. */
  boolean isUnhealthy(long now) {
    ChannelPool known = pool;
    int inFlight = known == null ? 0 : known.getInFlight();
    return health.mayBeUnhealthy(inFlight) && health.isUnhealthy(inFlight, now);
  }
}
