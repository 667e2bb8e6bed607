/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metadata.Node;
import edu.umd.cs.findbugs.annotations.Nullable;
import java.util.function.LongSupplier;

/** Notes when a request leaves for a node: as the driver polls it. */
class TimedQueryPlan extends WeightedQueryPlan {
  private final LongSupplier nanoClock;

  TimedQueryPlan(
      TrackedNode[] scored, LocalNodes local, int start, int stride, LongSupplier nanoClock) {
    super(scored, local, start, stride);
    this.nanoClock = nanoClock;
  }

  @Nullable
  @Override
  public Node poll() {
    Node node = super.poll();
    if (node != null) {
      onSent(tracked(node), nanoClock.getAsLong());
    }
    return node;
  }

  void onSent(TrackedNode node, long nowNanos) {
    node.delay.sent(nowNanos);
  }
}
