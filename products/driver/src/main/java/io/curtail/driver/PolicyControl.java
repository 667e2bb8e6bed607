/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.ArrayList;
import java.util.List;

/** Shows and switches one policy. */
final class PolicyControl implements WeightedLeastLoadedMXBean {
  private final WeightedLeastLoadedPolicy policy;

  PolicyControl(WeightedLeastLoadedPolicy policy) {
    this.policy = policy;
  }

  @Override
  public boolean isEnabled() {
    return policy.isEnabled();
  }

  @Override
  public void setEnabled(boolean enabled) {
    policy.setEnabled(enabled);
  }

  @Override
  public long getFaults() {
    return policy.faults().faults();
  }

  @Override
  public String getLastFault() {
    return policy.faults().lastFault();
  }

  @Override
  public String getLocalDatacenter() {
    return policy.localDatacenter();
  }

  @Override
  public String getLocalRack() {
    return policy.localRack();
  }

  @Override
  public List<WeightedNodeState> getNodes() {
    LocalNodes nodes = policy.localNodes();
    long now = policy.nanoTime();
    List<WeightedNodeState> states = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      states.add(new WeightedNodeState(nodes.get(i), now));
    }
    return states;
  }
}
