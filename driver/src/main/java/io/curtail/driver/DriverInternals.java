/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.Collections;
import java.util.Map;

/** The one place that reads the driver's connection pools, which are not public API. */
final class DriverInternals {
  private DriverInternals() {}

  /** The pools of a session by node; empty when there is no session, as for control connections. */
  static Map<Node, ChannelPool> pools(@Nullable Session session) {
    return session instanceof DefaultSession
        ? ((DefaultSession) session).getPools()
        : Collections.emptyMap();
  }

  /**
   * The requests in flight from this client to one node. The pool is remembered, because looking it
   * up for each candidate of each plan is most of what a plan costs; a pool without connections has
   * been closed or replaced, and is looked up again.
   */
  static final class InFlight {
    private final Node node;
    private volatile ChannelPool pool;

    InFlight(Node node) {
      this.node = node;
    }

    /**
     * Includes requests that the client has given up on but the node has not answered: it is likely
     * to be still at work on them.
     */
    int get(Map<Node, ChannelPool> pools) {
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

    /** As {@link #get}, for the pool that it found last. */
    int last() {
      ChannelPool known = pool;
      return known == null ? 0 : known.getInFlight();
    }
  }
}
