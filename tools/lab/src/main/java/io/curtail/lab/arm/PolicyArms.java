/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.SimulatedArm;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The policies of the client that the user chose, on stock nodes or on nodes with {@code
 * curtail-server} in one mode.
 */
public enum PolicyArms implements ArmSet {
  INSTANCE;

  private static final List<Policy> POLICIES =
      List.of(Policy.STOCK_DEFAULT, Policy.WEIGHTED_LEAST_LOADED, Policy.STOCK_BASIC);

  private record PolicyArm(
      Policy policy, Testbed testbed, List<ZoneClient> clients, Optional<SimulatedArm> simulatedArm)
      implements Arm {
    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public SimulatedArm simulated() {
      return clients.size() == testbed.zones() ? simulatedArm.orElse(null) : null;
    }
  }

  @Override
  public String difference(ScenarioSettings settings) {
    return "The nodes "
        + PlugIn.describe(settings.modeOfNodes())
        + ". Each zone has one session of the stock Java driver; the arms differ only in its load"
        + " balancing policy.";
  }

  @Override
  public int count(ScenarioSettings settings) {
    return settings.policiesOr(POLICIES).size();
  }

  @Override
  public List<Arm> start(Testbeds testbeds, ScenarioSettings settings, int nodes)
      throws IOException, InterruptedException {
    ClusterSpecBuilder spec = ClusterSpec.builder().nodes(nodes);
    PlugIn.add(spec, settings.modeOfNodes());
    return of(testbeds.start(spec), settings.policiesOr(POLICIES), settings);
  }

  /** One for each policy; the nodes are stock unless the settings have a mode of them. */
  static List<Arm> of(Testbed testbed, List<Policy> policies, ScenarioSettings settings) {
    boolean nodesReport = settings.modeOfNodes().isPresent();
    List<Arm> arms = new ArrayList<>();
    for (Policy policy : policies) {
      Policy slowed = policy.inSlowMotion(settings.slowMotion());
      arms.add(
          new PolicyArm(
              policy,
              testbed,
              testbed.clients(nodesReport ? slowed.onNodesThatReport() : slowed),
              Optional.ofNullable(
                  nodesReport ? null : SimulatedArms.of(policy, settings.slowMotion()))));
    }
    return List.copyOf(arms);
  }

  /** One for each policy, at real speed on stock nodes. */
  public static List<Arm> of(Testbed testbed, List<Policy> policies) {
    return of(testbed, policies, ScenarioSettings.DEFAULT);
  }
}
