/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.List;
import java.util.Set;

/**
 * Thrown by the policy, through the driver, to the throttler that has just started the request: it
 * has to wait. Nothing was done or sent by then. Without a stack trace, as it is no error.
 */
final class NoRoom extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient WeightedLeastLoadedPolicy policy;
  private final transient Request request;
  @Nullable private final transient Session session;

  NoRoom(WeightedLeastLoadedPolicy policy, Request request, @Nullable Session session) {
    super("the request waits", null, false, false);
    this.policy = policy;
    this.request = request;
    this.session = session;
  }

  /** The request, which is counted as waiting from now on. */
  WaitingRequest waiting(Throttled throttled) {
    Set<Node> awaited = policy.awaited(request, session);
    return new WaitingRequest(
        throttled,
        List.of(policy, awaited),
        policy.plans().beginWait(awaited),
        () -> policy.planWaiting(request, session));
  }
}
