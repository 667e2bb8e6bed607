/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.throttling.Throttled;
import com.datastax.oss.driver.internal.core.cql.CqlRequestHandler;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A request that waits for one of its replicas. Guarded by its {@link ThrottlerBacklog}. */
final class WaitingRequest {
  final Throttled throttled;

  /** What it waits for: those that wait for the same are in one line. */
  final Object group;

  /** Returns the plan that it may go by now, or null. */
  final Supplier<Queue<Node>> tryPlan;

  final long sinceNanos = System.nanoTime();

  /** Its place among all; set by the backlog. */
  long order;

  private final AtomicInteger[] counts;

  /**
   * @param counts that include this request while it waits
   */
  WaitingRequest(
      Throttled throttled, Object group, AtomicInteger[] counts, Supplier<Queue<Node>> tryPlan) {
    this.throttled = throttled;
    this.group = group;
    this.counts = counts;
    this.tryPlan = tryPlan;
  }

  /** Whether the application has ended the request itself, of which the driver may not tell. */
  boolean isOver() {
    return throttled instanceof CqlRequestHandler
        && ((CqlRequestHandler) throttled).handle().toCompletableFuture().isDone();
  }

  /** To be called once. */
  void ended() {
    for (AtomicInteger count : counts) {
      count.decrementAndGet();
    }
  }
}
