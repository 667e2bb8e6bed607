/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.ReplicaCollection;

/** {@link PassedReads} as the planner calls them: what throws changes no order. Thread-safe. */
final class GuardedPassing {
  private final PassedReads reads;
  private final Guard guard;

  GuardedPassing(PassedReads reads, Guard guard) {
    this.reads = reads;
    this.guard = guard;
  }

  /** Returns where the read goes first. */
  Peer onOrdered(ReplicaSorter sorter, Peer first, ReplicaCollection<?> replicas, long nowNanos) {
    try {
      return reads.onOrdered(sorter, first, (EndpointsForToken) replicas, nowNanos);
    } catch (Throwable e) {
      guard.failed("planning where a read may go", e);
      return first;
    }
  }
}
