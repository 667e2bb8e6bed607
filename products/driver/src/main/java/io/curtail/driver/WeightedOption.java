/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverOption;
import edu.umd.cs.findbugs.annotations.NonNull;

/**
 * The options of {@link WeightedLeastLoadedPolicy}, and of {@link AdaptivePolicy} too; each is
 * described in the {@code reference.conf} of this jar.
 *
 * <p>They live under {@code basic.load-balancing-policy} because the driver makes one policy for
 * each distinct version of that section: only there can a profile override them.
 */
public enum WeightedOption implements DriverOption {
  /** The rack the client runs in; racks are availability zones in most clouds. */
  LOCAL_RACK("basic.load-balancing-policy.local-rack"),
  /** How many nodes are scored for a plan, at least the replicas: 1 to 64. */
  SCORED_PLAN_SIZE("basic.load-balancing-policy.weighted.scored-plan-size"),
  /** Weight of a node outside the local rack: at least 1. */
  NON_RACK("basic.load-balancing-policy.weighted.non-rack"),
  /** Weight of a node that is not a replica: at least 1. */
  NON_REPLICA("basic.load-balancing-policy.weighted.non-replica"),
  /** Weight of a node that has just come up: at least 1. */
  STARTING("basic.load-balancing-policy.weighted.starting"),
  /** How long a node counts as starting. */
  STARTING_INTERVAL("basic.load-balancing-policy.weighted.starting-interval"),
  /** Weight of a node that stopped answering: at least 1. */
  UNHEALTHY("basic.load-balancing-policy.weighted.unhealthy"),
  /** From how many requests in flight on a silent node counts as stalled: at least 1. */
  STALLED_IN_FLIGHT("basic.load-balancing-policy.weighted.stalled-in-flight"),
  /** How long a node must be silent to count as stalled. */
  STALLED_AFTER("basic.load-balancing-policy.weighted.stalled-after"),
  /** The share of failures among its responses above which a node fails; 1 for never. */
  FAILING_RATIO("basic.load-balancing-policy.weighted.failing-ratio"),
  /** Whether to publish metrics for each node in the driver's metric registry. */
  METRICS("basic.load-balancing-policy.weighted.metrics");

  private final String path;

  WeightedOption(String path) {
    this.path = path;
  }

  @NonNull
  @Override
  public String getPath() {
    return path;
  }
}
