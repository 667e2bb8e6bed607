/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.List;
import java.util.Map;

/**
 * What {@link WeightedLeastLoadedPolicy} knows, and a switch to turn it off while the client runs.
 * By JMX it is {@code io.curtail.driver:type=WeightedLeastLoaded,session=...,profile=...}, in code
 * {@link WeightedLeastLoadedPolicy#control()}. Thread-safe.
 */
public interface WeightedLeastLoadedMXBean {
  /** Returns whether the policy plans; if not, the driver's BasicLoadBalancingPolicy does. */
  boolean isEnabled();

  /** Switches the policy on, with nothing known of the nodes yet, or off. */
  void setEnabled(boolean enabled);

  /** Returns how often a fault made the policy do as the driver does. */
  long getFaults();

  /** Returns the latest of these faults, or an empty string. */
  String getLastFault();

  /** Returns null before the session is initialised. */
  String getLocalDatacenter();

  /** Returns null if none is set. */
  String getLocalRack();

  /** Returns how many query plans the policy made; 0 unless it publishes metrics. */
  long getPlans();

  /** Returns how many requests wait for a replica that is within its limits. */
  int getBacklogLength();

  /** Returns how many requests failed because as many waited as may. */
  long getBacklogRefused();

  /**
   * Returns what became of the requests that waited for longer than their node's delay, by name,
   * since the session began: how many were {@code asked} of, {@code sent} to a second node, {@code
   * won} by it, {@code refused-by-node} there; and why others were not sent: {@code
   * refused-by-budget}, {@code refused-congested}, {@code refused-no-room}, {@code
   * refused-too-early}. Empty without {@link AdaptiveSpeculativeExecution}.
   */
  Map<String, Long> getCopies();

  /**
   * Returns the plan that a request would get now, and why.
   *
   * @param keyspace of the request; empty for one whose replicas are not known
   * @param routingKey the partition key's bytes in hexadecimal, as {@code blobAsX} functions show
   *     them; empty for one whose replicas are not known
   */
  String explain(String keyspace, String routingKey);

  /**
   * Logs the next plans as {@link #explain} returns them, for the logger {@code
   * io.curtail.driver.Explanations} at INFO.
   *
   * @param plans how many; 0 for no more
   */
  void logPlans(int plans);

  /** Returns the live nodes of the local data centre, also while the policy is off. */
  List<WeightedNodeState> getNodes();
}
