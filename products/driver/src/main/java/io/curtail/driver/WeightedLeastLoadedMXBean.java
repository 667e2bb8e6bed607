/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.List;

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

  /** Returns the live nodes of the local data centre, also while the policy is off. */
  List<WeightedNodeState> getNodes();
}
