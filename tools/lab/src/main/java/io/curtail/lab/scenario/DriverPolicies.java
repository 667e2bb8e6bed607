/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.scenario;

import io.curtail.lab.cluster.ClusterSpec;
import java.util.ArrayList;
import java.util.List;

/** The policies of the client that the user chose, on stock nodes. */
enum DriverPolicies implements Contenders {
  INSTANCE;

  @Override
  public String difference() {
    return "The nodes are stock. Each zone has one session of the stock Java driver; the arms differ"
        + " only in its load balancing policy.";
  }

  @Override
  public void equip(ClusterSpec.Builder nodes) {}

  @Override
  public int count(Settings settings) {
    return settings.policies().size();
  }

  @Override
  public List<Arm> arms(Testbed testbed, Settings settings) {
    List<Arm> arms = new ArrayList<>();
    settings.policies().forEach(policy -> arms.add(testbed.arm(policy)));
    return arms;
  }
}
