/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.metrics.NodeMetric;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * What {@link WeightedLeastLoadedPolicy} publishes for each live node of the local data centre when
 * {@link WeightedOption#METRICS} is on. All are gauges, named by the driver's metric id generator.
 */
public enum WeightedNodeMetric implements NodeMetric {
  /** How many query plans began with this node, since it came up. */
  FIRST_CHOICES("load-balancing.first-choices"),
  /** The decayed share of failures among the node's responses, 0 to 1. */
  FAILURE_RATIO("load-balancing.failure-ratio"),
  /**
   * 1 if the node stalls, which is that the latest plan found it silent or an answer is overdue, or
   * if it fails; else 0.
   */
  UNHEALTHY("load-balancing.unhealthy"),
  /** How often the node began to stall, since it came up. */
  TIMES_STALLED("load-balancing.times-stalled"),
  /** How often the node began to fail, since it came up. */
  TIMES_FAILING("load-balancing.times-failing"),
  /** The chance that the node counts as starting: 1 when it comes up, falling to 0. */
  STARTING("load-balancing.starting"),
  /** How long an answer is expected to take, in milliseconds; 0 unless AdaptivePolicy knows. */
  EXPECTED_MILLIS("load-balancing.expected-millis"),
  /** How many requests wait for this node or another of their replicas to have room. */
  WAITING("backlog.waiting");

  private final String path;

  WeightedNodeMetric(String path) {
    this.path = path;
  }

  @NonNull
  @Override
  public String getPath() {
    return path;
  }

  double valueOf(TrackedNode node, long now) {
    switch (this) {
      case FIRST_CHOICES:
        return node.firstChoices.sum();
      case FAILURE_RATIO:
        return node.health.failureRatio(now);
      case UNHEALTHY:
        return node.isStalled(now) || node.health.isFailing(now) ? 1 : 0;
      case TIMES_STALLED:
        return node.health.timesStalled();
      case TIMES_FAILING:
        return node.health.timesFailing();
      case STARTING:
        return node.ramp.isOver() ? 0 : node.ramp.chanceAt(now);
      case EXPECTED_MILLIS:
        return new WeightedNodeState(node, now).getExpectedMillis();
      case WAITING:
        return node.waiting.get();
    }
    throw new AssertionError(this);
  }
}
