/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metrics.NodeMetric;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * What {@link AdaptiveSpeculativeExecution} publishes for each live node of the local data centre
 * when {@link WeightedOption#METRICS} is on. All are gauges, of the requests that waited for the
 * node for longer than its delay.
 */
public enum HedgingNodeMetric implements NodeMetric {
  /** After how many milliseconds a request to the node is copied now; 0 if that is not known. */
  DELAY_MILLIS("hedging.delay-millis"),
  /** How many were copied to another node, since the node came up. */
  COPIES_SENT("hedging.copies-sent"),
  /** How many of them the other node answered first. */
  COPIES_WON("hedging.copies-won"),
  /** How many copies the other node refused, as it had no free thread. */
  REFUSED_BY_NODE("hedging.refused-by-node"),
  /** How many were not copied because copies had cost all that they may. */
  REFUSED_BY_BUDGET("hedging.refused-by-budget"),
  /** How many were not copied because no other node had room, or it would not have helped. */
  REFUSED_BY_LOAD("hedging.refused-by-load");

  private final String path;

  HedgingNodeMetric(String path) {
    this.path = path;
  }

  @NonNull
  @Override
  public String getPath() {
    return path;
  }

  /**
   * @param hedges of the node's policy
   */
  double valueOf(TrackedNode node, Hedges hedges) {
    switch (this) {
      case DELAY_MILLIS:
        return hedges.delayNanos(node) / 1e6;
      case COPIES_SENT:
        return node.copies.sent.sum();
      case COPIES_WON:
        return node.copies.won.sum();
      case REFUSED_BY_NODE:
        return node.copies.refusedByNode.sum();
      case REFUSED_BY_BUDGET:
        return node.copies.refusedByBudget.sum();
      case REFUSED_BY_LOAD:
        return node.copies.refusedByLoad();
    }
    throw new AssertionError(this);
  }
}
