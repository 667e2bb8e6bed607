/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.campaign.process.Commands;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.Home;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import io.curtail.testnode.ChildJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code curtail-server} in the nodes, switched between runs. All nodes are in one rack: the racks
 * of a few nodes would hold unequal parts of the data.
 */
public enum ServerModeArms implements ArmSet {
  INSTANCE;

  private static final String CHECK = "io.curtail.server.CheckSettings";

  /** As few as a node with one disk has, so that reads of a slow one queue. */
  private static final int CONCURRENT_READS = 4;

  @Override
  public String difference(ScenarioSettings settings) {
    return "The clients are alike in all arms: sessions of the stock Java driver with its basic"
        + " policy, which knows the replicas of a key and neither racks nor latencies. The arms"
        + " differ in who orders the replicas of a read in the nodes; one live cluster is switched"
        + " between them, and the dynamic snitch starts anew in each run. Each node has "
        + CONCURRENT_READS
        + " threads for reads, so that reads of a slow disk queue.";
  }

  /**
   * Asks {@code curtail-server}, in a process of its own, whether nodes will take the modes.
   *
   * @throws IllegalArgumentException if they will not
   */
  public static void check(List<ServerMode> modes) throws IOException {
    for (ServerMode mode : modes) {
      Map<String, String> settings = new TreeMap<>(mode.settings());
      settings.remove(ServerMode.SPECULATIVE_RETRY);
      settings.remove("mode", "stock"); // the nodes' own snitch
      if (settings.isEmpty()) {
        continue;
      }
      List<String> command = new ArrayList<>();
      command.add(ChildJvm.java());
      command.addAll(List.of("-cp", Home.find().jar("products/server").toString(), CHECK));
      settings.forEach((name, value) -> command.add(name + "=" + value));
      Optional<String> wrong = Commands.failure(command);
      if (wrong.isPresent()) {
        throw new IllegalArgumentException("server: " + wrong.get());
      }
    }
  }

  /** Nodes with {@code curtail-server}, its mode off. */
  public static void equip(ClusterSpecBuilder nodes) throws IOException {
    PlugIn.add(nodes, Map.of("mode", "off"));
    equip(nodes, PlugIn.SNITCH, false);
  }

  /** The same nodes without {@code curtail-server}: not even its jar. */
  public static void equipWithoutPlugIn(ClusterSpecBuilder nodes) {
    equip(nodes, PlugIn.TOPOLOGY, true);
  }

  private static void equip(ClusterSpecBuilder nodes, String snitch, boolean dynamic) {
    nodes
        .zones(1)
        .addYaml("endpoint_snitch", snitch)
        .addYaml("dynamic_snitch", dynamic)
        .addYaml("concurrent_reads", CONCURRENT_READS);
  }

  @Override
  public int count(ScenarioSettings settings) {
    return settings.snitchAndC3().size();
  }

  @Override
  public List<Arm> start(Testbeds testbeds, ScenarioSettings settings, int nodes)
      throws IOException, InterruptedException {
    ClusterSpecBuilder spec = ClusterSpec.builder().nodes(nodes);
    equip(spec);
    return of(testbeds.start(spec), settings.snitchAndC3());
  }

  public static List<Arm> of(Testbed testbed, List<ServerMode> modes) {
    List<ZoneClient> clients = testbed.clients(Policy.STOCK_BASIC);
    Set<String> settingsOfAny = new TreeSet<>();
    modes.forEach(mode -> settingsOfAny.addAll(mode.settings().keySet()));
    boolean exchangesSnitch = modes.contains(ServerMode.DYNAMIC_SNITCH);
    List<Arm> arms = new ArrayList<>();
    for (ServerMode mode : modes) {
      arms.add(new ServerModeArm(mode, settingsOfAny, exchangesSnitch, testbed, clients));
    }
    return arms;
  }
}
