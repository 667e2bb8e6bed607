/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Settings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import java.util.List;

/** The policies of the client that the user chose, on stock nodes. */
public enum PolicyArms implements ArmSet {
  INSTANCE;

  private record PolicyArm(String name, List<ZoneClient> clients) implements Arm {}

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
    return of(testbed, settings.policies());
  }

  /** One for each policy. */
  public static List<Arm> of(Testbed testbed, List<Policy> policies) {
    return policies.stream()
        .<Arm>map(policy -> new PolicyArm(policy.name(), testbed.clients(policy)))
        .toList();
  }
}
