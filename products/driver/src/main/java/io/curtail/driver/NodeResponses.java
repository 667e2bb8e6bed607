/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * Tells the health of a node of each response to a request of any kind. Called on the driver's I/O
 * threads; allocates nothing on success. Thread-safe.
 *
 * <p>A request that the client gave up on is not reported for a node; it stays in flight, which
 * counts against the node until it answers.
 */
final class NodeResponses implements RequestTracker {
  private final WeightedLeastLoadedPolicy policy;

  NodeResponses(WeightedLeastLoadedPolicy policy) {
    this.policy = policy;
  }

  @Override
  public void onNodeSuccess(
      @NonNull Request request,
      long latencyNanos,
      @NonNull DriverExecutionProfile executionProfile,
      @NonNull Node node,
      @NonNull String nodeRequestLogPrefix) {
    TrackedNode tracked = policy.tracked(node);
    if (tracked != null) {
      NodeHealth health = tracked.health;
      health.succeeded(health.hasFailed() ? policy.nanoTime() : 0);
    }
  }

  @Override
  public void onNodeError(
      @NonNull Request request,
      @NonNull Throwable error,
      long latencyNanos,
      @NonNull DriverExecutionProfile executionProfile,
      @NonNull Node node,
      @NonNull String nodeRequestLogPrefix) {
    TrackedNode tracked = policy.tracked(node);
    if (tracked == null) {
      return;
    }
    if (NodeFault.isFaultOfNode(error)) {
      tracked.health.failed(policy.nanoTime());
    } else {
      tracked.health.succeeded(policy.nanoTime());
    }
  }

  @Override
  public void close() {}
}
