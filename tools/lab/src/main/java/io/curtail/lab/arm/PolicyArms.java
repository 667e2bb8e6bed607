/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.experiment.Twin;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import java.io.IOException;
import java.util.List;

/** The policies of the client that the user chose, on stock nodes. */
public enum PolicyArms implements ArmSet {
  INSTANCE;

  private static final List<Policy> POLICIES =
      List.of(Policy.STOCK_DEFAULT, Policy.WEIGHTED_LEAST_LOADED, Policy.STOCK_BASIC);

  private record PolicyArm(Policy policy, int slowMotion, Testbed testbed, List<ZoneClient> clients)
      implements Arm {
    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public Twin twin() {
      boolean isInEachZone = clients.size() == testbed.zones();
      return isInEachZone ? Twins.of(policy, slowMotion) : null;
    }
  }

  @Override
  public String difference(ScenarioSettings settings) {
    return "The nodes are stock. Each zone has one session of the stock Java driver; the arms differ"
        + " only in its load balancing policy.";
  }

  @Override
  public int count(ScenarioSettings settings) {
    return settings.policiesOr(POLICIES).size();
  }

  @Override
  public List<Arm> start(Testbeds testbeds, ScenarioSettings settings, int nodes)
      throws IOException, InterruptedException {
    return of(
        testbeds.start(ClusterSpec.builder().nodes(nodes)),
        settings.policiesOr(POLICIES),
        settings.slowMotion());
  }

  /**
   * One for each policy.
   *
   * @param slowMotion how many times as long everything takes
   */
  public static List<Arm> of(Testbed testbed, List<Policy> policies, int slowMotion) {
    return policies.stream()
        .<Arm>map(
            policy ->
                new PolicyArm(
                    policy, slowMotion, testbed, testbed.clients(policy.inSlowMotion(slowMotion))))
        .toList();
  }
}
