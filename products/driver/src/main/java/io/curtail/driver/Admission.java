/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.Queue;

/**
 * How the throttler and the policy agree on one request. The driver gives its throttler a request
 * that tells nothing of itself; told that it may start, the request asks its policy for a plan, on
 * the same thread and before anything else. There the policy finds this, and throws {@link NoRoom}
 * if the request has to wait. Belongs to one thread.
 */
final class Admission {
  private static final ThreadLocal<Admission> CURRENT = new ThreadLocal<>();

  /** Null if the policy is to make the plan. */
  @Nullable final Queue<Node> plan;

  /**
   * @param plan that the request is to get; null if the policy is to make it
   */
  Admission(@Nullable Queue<Node> plan) {
    this.plan = plan;
  }

  /**
   * Starts the request.
   *
   * @throws NoRoom if it has to wait
   */
  void start(Throttled throttled, boolean waited) {
    // A request that fails at once may have the application send another from here.
    Admission outer = CURRENT.get();
    CURRENT.set(this);
    try {
      throttled.onThrottleReady(waited);
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }

  /** Returns the current one, once; null if the request is not to wait. */
  @Nullable
  static Admission take(@Nullable Request request) {
    Admission current = CURRENT.get();
    if (current == null || !(request instanceof Statement)) {
      return null;
    }
    CURRENT.remove();
    return current;
  }
}
