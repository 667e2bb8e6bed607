/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.function.LongSupplier;

/**
 * Notes when a request leaves for a node: as the driver polls it. It polls the first one as soon as
 * it has the plan.
 */
class TimedQueryPlan extends WeightedQueryPlan {
  private final LongSupplier nanoClock;
  private final long plannedAtNanos;
  private final boolean isUnmarked;

  /**
   * @param isUnmarked whether copies are marked, and this is no plan for one: a copy that was not
   *     written, as its connection was closing, has left its mark on the thread
   */
  TimedQueryPlan(
      TrackedNode[] scored,
      LocalNodes local,
      int walk,
      LongSupplier nanoClock,
      long plannedAtNanos,
      boolean isUnmarked) {
    super(scored, local, walk);
    this.nanoClock = nanoClock;
    this.plannedAtNanos = plannedAtNanos;
    this.isUnmarked = isUnmarked;
  }

  @Override
  final void onPolled(TrackedNode node, int index) {
    if (isUnmarked) {
      CopyMark.set(false);
    }
    onSent(node, index == 0 ? plannedAtNanos : now());
  }

  final long now() {
    return nanoClock.getAsLong();
  }

  void onSent(TrackedNode node, long nowNanos) {
    node.delay.sent(nowNanos);
  }
}
