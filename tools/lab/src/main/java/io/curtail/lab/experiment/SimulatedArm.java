/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.hooks.StoragePlan;
import io.curtail.lab.load.Arrivals;
import io.curtail.lab.load.LabTable;
import io.curtail.lab.load.LoadSpec;
import io.curtail.simulator.Replay;
import io.curtail.simulator.ReplayScript;
import io.curtail.simulator.SimulatedScenario;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An arm in the simulator: the same nodes, arrivals, rows, speeds and service times, and the
 * selection code as it ships.
 *
 * <p>If nodes choose the replica, coordinators are those that own no data, if there are any, each
 * with a client of its own; else replicas of what is read, as the driver's policy chooses them,
 * each as likely. If clients choose it, there is one in each zone, and who is asked serves the
 * read.
 *
 * @param policy that the simulator has
 * @param byClients whether clients choose the replica, not nodes
 * @param changes to the parameters of the simulated cluster
 */
public record SimulatedArm(String policy, boolean byClients, Map<String, Object> changes) {
  /** Native transport's threads, each of which works on one request; Cassandra's default. */
  public static final int COORDINATOR_THREADS = 128;

  private static final double ONE_WAY_MILLIS = 0.5;

  public SimulatedArm {
    changes = Map.copyOf(changes);
  }

  /** Whether the simulator has such requests: reads alone, and one replica answers each. */
  static boolean knows(ConsistencyLevel level, Arrivals arrivals) {
    return Set.of(ConsistencyLevel.ONE, ConsistencyLevel.LOCAL_ONE).contains(level)
        && arrivals.reads() == arrivals.all().size();
  }

  /**
   * Repeats a run on the testbed.
   *
   * @param arrivals of that run
   * @param trouble more changes, for what went wrong in it
   */
  Replay replay(
      Testbed testbed,
      Fluctuation fluctuation,
      LoadSpec load,
      Arrivals arrivals,
      Map<String, Object> trouble) {
    int nodes = testbed.cluster().replicas().size();
    int coordinators = testbed.cluster().coordinators().size();
    Map<String, Object> cluster = new LinkedHashMap<>();
    cluster.put("servers", nodes);
    if (byClients) {
      int zones = testbed.zones();
      cluster.put("clients", zones);
      cluster.put("zones", zones);
    } else {
      cluster.put("clients", nodes + coordinators);
      cluster.put("coordinated", true);
      cluster.put("coordinatorIs", coordinators == 0 ? "replica" : "anyone");
      cluster.put("coordinatorThreads", COORDINATOR_THREADS);
    }
    cluster.put("slots", Fluctuation.THREADS);
    cluster.put("replicationFactor", Math.min(3, nodes));
    cluster.put("serviceMillis", fluctuation.slow().toNanos() * 1e-6);
    cluster.put("speedFactor", fluctuation.factor());
    cluster.put("intervalMillis", fluctuation.interval().toNanos() * 1e-6);
    cluster.put("oneWayMillis", ONE_WAY_MILLIS);
    cluster.put("warmUpMillis", load.warmUp().toMillis());
    cluster.putAll(changes);
    cluster.putAll(trouble);
    SimulatedScenario scenario = SimulatedScenario.BASE.with(cluster);
    return Replay.of(
        scenario,
        policy,
        new Reads(testbed, byClients, fluctuation.plan(1, load.seed(), 0), arrivals),
        load.seed());
  }

  private static final class Reads implements ReplayScript {
    private final boolean byClients;
    private final List<Arrivals.Arrival> arrivals;
    private final Map<Long, Integer> groups = new HashMap<>();
    private final Map<Long, Long> hashes = new HashMap<>();
    private final StoragePlan[] plans;
    private final Map<Long, Integer>[] served;
    private final Testbed testbed;
    private final Map<Node, Integer> indexes = new HashMap<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    Reads(Testbed testbed, boolean byClients, StoragePlan plan, Arrivals arrivals) {
      this.testbed = testbed;
      this.byClients = byClients;
      this.arrivals = arrivals.all();
      List<LabNode> nodes = testbed.cluster().replicas();
      plans = new StoragePlan[nodes.size()];
      served = new Map[nodes.size()];
      for (LabNode node : nodes) {
        int index = node.index() - 1;
        plans[index] = plan.ofNode(node.index());
        served[index] = new HashMap<>();
        testbed
            .session()
            .getMetadata()
            .findNode(node.address())
            .ifPresent(known -> indexes.put(known, index));
      }
    }

    @Override
    public int reads() {
      return arrivals.size();
    }

    @Override
    public long arrivalNanos(int read) {
      return arrivals.get(read).nanos();
    }

    @Override
    public int group(int read) {
      return groups.computeIfAbsent(arrivals.get(read).row(), this::groupOf);
    }

    /** The replica before which there is none; the first of all where all nodes are replicas. */
    private int groupOf(long row) {
      TokenMap tokens = testbed.session().getMetadata().getTokenMap().orElseThrow();
      Set<Integer> replicas = new HashSet<>();
      tokens
          .getReplicas(LabTable.KEYSPACE, testbed.dataset().table().partitionKey(row))
          .forEach(node -> replicas.add(indexes.get(node)));
      return replicas.stream()
          .filter(node -> !replicas.contains(Math.floorMod(node - 1, plans.length)))
          .findFirst()
          .orElse(0);
    }

    @Override
    public int coordinator(int read) {
      int client = arrivals.get(read).client();
      if (byClients) {
        return client;
      }
      return testbed.cluster().coordinators().isEmpty() ? ANY_REPLICA : plans.length + client;
    }

    @Override
    public boolean isFast(int server, long interval) {
      return plans[server].isFast(interval);
    }

    @Override
    public double serviceUnit(int read, int server) {
      long hash =
          hashes.computeIfAbsent(
              arrivals.get(read).row(),
              row -> StoragePlan.hash(testbed.dataset().table().partitionKey(row)));
      int occurrence = served[server].merge(hash, 1, Integer::sum) - 1;
      return plans[server].unit(hash, occurrence);
    }
  }
}
