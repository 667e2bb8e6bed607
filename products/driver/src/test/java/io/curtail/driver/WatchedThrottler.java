/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import com.datastax.oss.driver.internal.core.cql.CqlRequestHandler;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The throttler, with a look at what becomes of requests that end before their turn has come. */
public final class WatchedThrottler extends AdaptiveThrottler {
  /** What the driver gave to those that asked for the requests. */
  final Set<CompletionStage<?>> endedWhileTheyWaited = ConcurrentHashMap.newKeySet();

  /** How many were held when the driver had said that their time is over. */
  final AtomicInteger heldPastTheirTimeout = new AtomicInteger();

  public WatchedThrottler(DriverContext context) {
    super(context);
  }

  @Override
  boolean onEnd(Throttled request) {
    boolean waited = super.onEnd(request);
    if (waited) {
      endedWhileTheyWaited.add(((CqlRequestHandler) request).handle());
    }
    return waited;
  }

  @Override
  public void signalTimeout(Throttled request) {
    super.signalTimeout(request);
    if (backlog().remove(request)) {
      heldPastTheirTimeout.incrementAndGet();
    }
  }
}
