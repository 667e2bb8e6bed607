/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.arm;

import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.ServerMode;
import io.curtail.lab.experiment.Arm;
import io.curtail.lab.experiment.ArmSet;
import io.curtail.lab.experiment.Fluctuation;
import io.curtail.lab.experiment.ScenarioSettings;
import io.curtail.lab.experiment.SimulatedArm;
import io.curtail.lab.experiment.Testbed;
import io.curtail.lab.experiment.Testbeds;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import io.curtail.selection.NodeDefaults;
import io.curtail.selection.Policies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Stock nodes, whose dynamic snitch is as old as their cluster, and nodes with {@code
 * curtail-server}, whose mode is switched between runs: two clusters that take turns. A setting
 * {@code speculative_retry} is the table's.
 */
public enum FluctuationArms implements ArmSet {
  /** Of nodes that change their speed. */
  ALL(
      List.of(
          ServerMode.DYNAMIC_SNITCH,
          ServerMode.DYNAMIC_SNITCH_99P,
          ServerMode.C3,
          ServerMode.C3_RATE,
          ServerMode.C3_PASSING,
          ServerMode.C3_COPIES)),
  /** Of nodes that do not: as few as tell what ranking and passing do. */
  FEW(List.of(ServerMode.DYNAMIC_SNITCH, ServerMode.C3, ServerMode.C3_PASSING));

  /** Of the nodes: much longer than a read takes, and as often they look how long reads take. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Of most times that a node is told. */
  private static final long MOST_MILLIS = 60_000;

  private static final long MOST_WINDOW_MILLIS = 10_000;
  private static final long MOST_BACKLOG_MILLIS = 1_000;

  private static final int HEAP_MEBIBYTES = 256;
  private static final int WARM_UP_SECONDS = 24;

  @SuppressWarnings("ImmutableEnumChecker") // modes are immutable
  private final List<ServerMode> byDefault;

  FluctuationArms(List<ServerMode> byDefault) {
    this.byDefault = byDefault;
  }

  /** An arm and the table's option that belongs to it. */
  private record FluctuationArm(ServerMode mode, String retry, Testbed testbed, Arm switched)
      implements Arm {
    @Override
    public String name() {
      return mode.name();
    }

    @Override
    public List<ZoneClient> clients() {
      return testbed.clients(Policy.STOCK_BASIC);
    }

    @Override
    public void activate() {
      testbed.speculate(retry);
      if (switched != null) {
        switched.activate();
      }
    }

    @Override
    public Map<String, Long> counts() throws IOException {
      return NodeCounts.of(testbed);
    }

    @Override
    public SimulatedArm simulated() {
      return SimulatedArms.of(mode, retry, TIMEOUT);
    }
  }

  @Override
  public String difference(ScenarioSettings settings) {
    return "Clients are alike in all arms: sessions of the stock Java driver with its basic policy,"
        + " which asks any replica of a row. Stock arms run on nodes without Curtail, whose dynamic"
        + " snitch is as old as they are; the others on a cluster of their own, which is switched"
        + " between them. The clusters take turns. A node serves "
        + Fluctuation.THREADS
        + " reads at once. In every arm of a block the n-th read of a row at a node takes the same"
        + (this == ALL
            ? ", the same reads arrive and nodes change their speed at the same moments."
            : ".")
        + " Cassandra sends no"
        + " second copies (speculative_retry) unless the arm's name says so. Curtail's probes of"
        + " silent replicas are as seldom as reads are slow, its averages, windows and waits as long;"
        + " the dynamic snitch has no such setting: its 100 ms and 1.3 s are as short as ever, and so"
        + " it is fresher here than at real speed."
        + (this == ALL
            ? (settings.coordinators() == 0
                    ? ""
                    : " Clients ask %d nodes that own no data, each client one of them."
                        .formatted(settings.coordinators()))
                + " The simulated columns are the same reads, speeds and service times in the simulator,"
                + " with the code that ships: coordinators have 128 threads, know their"
                + " own queue if they are replicas, and a message takes half a millisecond."
            : "");
  }

  @Override
  public int warmUpSeconds() {
    return WARM_UP_SECONDS;
  }

  @Override
  public int count(ScenarioSettings settings) {
    return modes(settings).size();
  }

  private List<ServerMode> modes(ScenarioSettings settings) {
    return settings.serverModesOr(byDefault);
  }

  @Override
  public List<Arm> start(Testbeds testbeds, ScenarioSettings settings, int nodes)
      throws IOException, InterruptedException {
    Testbed stock = null;
    Testbed curtail = null;
    List<Arm> arms = new ArrayList<>();
    Set<String> settingsOfAny = new TreeSet<>();
    modes(settings).stream()
        .filter(mode -> !isStock(mode))
        .forEach(mode -> settingsOfAny.addAll(ofNode(mode, settings).settings().keySet()));
    for (ServerMode mode : modes(settings)) {
      String retry =
          mode.settings()
              .getOrDefault(
                  ServerMode.SPECULATIVE_RETRY, settings.speculativeRetry().orElse("never"));
      if (isStock(mode)) {
        if (stock == null) {
          ClusterSpecBuilder spec = spec(nodes, settings);
          ServerModeArms.equipWithoutPlugIn(spec);
          stock = testbeds.start(spec);
        }
        arms.add(new FluctuationArm(mode, retry, stock, null));
      } else {
        if (curtail == null) {
          ClusterSpecBuilder spec = spec(nodes, settings);
          ServerModeArms.equip(spec);
          curtail = testbeds.start(spec);
        }
        Arm switched =
            new ServerModeArm(
                ofNode(mode, settings),
                settingsOfAny,
                false,
                curtail,
                curtail.clients(Policy.STOCK_BASIC));
        arms.add(new FluctuationArm(ofNode(mode, settings), retry, curtail, switched));
      }
    }
    return arms;
  }

  private static ClusterSpecBuilder spec(int nodes, ScenarioSettings settings) {
    return withPlannedStorage(
            ClusterSpec.builder().nodes(nodes).coordinators(settings.coordinators()))
        .heapMebibytes(HEAP_MEBIBYTES)
        .requestTimeout(TIMEOUT)
        .addYaml("native_transport_max_threads", SimulatedArm.COORDINATOR_THREADS);
  }

  /** Nodes whose storage can be given a plan. */
  static ClusterSpecBuilder withPlannedStorage(ClusterSpecBuilder nodes) {
    return nodes.addJvmOptions("-Dcassandra.storage_hook=io.curtail.lab.hooks.FluctuatingReads");
  }

  private static boolean isStock(ServerMode mode) {
    return mode.settings().get("mode").equals("stock");
  }

  private static String slowed(long millis, ScenarioSettings run, long most) {
    return Long.toString(Math.min(most, millis * run.slowMotion()));
  }

  /**
   * What the node is told: probes are as seldom, averages, rate control's windows and the time that
   * a read may be held as long, as reads are slow.
   */
  static ServerMode ofNode(ServerMode mode, ScenarioSettings run) {
    Map<String, String> settings = new LinkedHashMap<>(mode.settings());
    settings.remove(ServerMode.SPECULATIVE_RETRY);
    String policy = settings.getOrDefault("policy", NodeDefaults.RANKING);
    long averaging = Policies.named(policy).loadSettings().averagingNanos() / 1_000_000;
    settings.putIfAbsent("refresh_ms", slowed(NodeDefaults.REFRESH_MILLIS, run, MOST_MILLIS));
    if (averaging > 0) {
      settings.putIfAbsent("averaging_ms", slowed(averaging, run, MOST_MILLIS));
    }
    if (settings.get("mode").equals("rank+rate") || "true".equals(settings.get("rate_observe"))) {
      settings.putIfAbsent(
          "rate_window_ms", slowed(NodeDefaults.RATE_WINDOW_MILLIS, run, MOST_WINDOW_MILLIS));
      settings.putIfAbsent(
          "backlog_ms", slowed(NodeDefaults.BACKLOG_MILLIS, run, MOST_BACKLOG_MILLIS));
    }
    return new ServerMode(mode.name(), settings);
  }
}
