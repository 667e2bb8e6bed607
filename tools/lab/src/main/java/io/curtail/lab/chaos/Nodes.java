/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.campaign.ClosedTogether;
import io.curtail.campaign.Progress;
import io.curtail.engine.trials.Directories;
import io.curtail.engine.trials.disk.SmallDisk;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.ClusterSpecBuilder;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.engine.EngineMemtables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The nodes of a run, who of them is a member of the ring, and at which place. Each second one has
 * the engine, the others have Cassandra's own memtable under the same name. Not thread-safe.
 */
final class Nodes implements AutoCloseable {
  private static final int DISK_MEBIBYTES = 256;

  private final Cluster cluster;
  private final Map<Integer, SmallDisk> disks;
  private final Map<Integer, Long> tokens = new TreeMap<>();
  private final AtomicInteger stockReplays = new AtomicInteger();
  private final AtomicInteger engineReplays = new AtomicInteger();
  private long freeToken;
  private int lost;

  private Nodes(Cluster cluster, Map<Integer, SmallDisk> disks) {
    this.cluster = cluster;
    this.disks = disks;
    int count = cluster.nodes().size();
    IntStream.rangeClosed(1, count).forEach(node -> tokens.put(node, LabNode.token(node, count)));
  }

  /** Starts all of them; those with the engine have it on a disk of their own, if one can be. */
  static Nodes start(Chaos.Setting setting, long seed, Progress progress) throws IOException {
    Path directory = setting.directory();
    int count = setting.nodes();
    ClusterSpecBuilder spec =
        ClusterSpec.builder()
            .name("chaos")
            .directory(directory.resolve("lab"))
            .nodes(count)
            .zones(1)
            .requestTimeout(ChaosSession.NODES_GIVE_UP)
            .addYaml("materialized_views_enabled", true)
            // Else a node that is a replica itself may ask another one.
            .addYaml("dynamic_snitch", false)
            .addYaml("disk_failure_policy", "best_effort")
            // What Cassandra's own log has not synced is lost with a killed process.
            .addYaml("commitlog_sync", "batch")
            .addYaml("commitlog_sync_period", "0ms")
            .addYaml("repair_session_space", "16MiB")
            // A node that has heard of no schema by then joins with none, and asks for no rows.
            .addJvmOptions("-Dcassandra.ring_delay_ms=10000")
            // Else Cassandra refuses to rebuild a node that has joined in the same run.
            .addJvmOptions("-Dcassandra.reset_bootstrap_progress=true")
            // For twice that long a node does not answer one that has left.
            .addJvmOptions("-Dcassandra.gossip_quarantine_delay_ms=4000");
    spec.addClassPath(setting.jars());
    Map<Integer, SmallDisk> disks = new TreeMap<>();
    try {
      for (int node = 1; node <= count; node++) {
        if (Plan.hasEngine(node)) {
          Map<String, String> all = EngineParameters.of(seed, node);
          if (setting.diskRefusal() == null) {
            SmallDisk disk = SmallDisk.mount(directory.resolve("disk" + node), DISK_MEBIBYTES);
            disks.put(node, disk);
            all.put("path", rocks(disk).toString());
          }
          all.putAll(setting.parameters());
          spec.addNodeYaml(node, EngineMemtables.yaml(all));
        } else {
          spec.addNodeYaml(node, EngineMemtables.stockYaml());
        }
      }
      return new Nodes(Cluster.start(spec.build(), progress), disks);
    } catch (IOException | RuntimeException e) {
      ClosedTogether.all(disks.values(), SmallDisk::close);
      throw e;
    }
  }

  private static Path rocks(SmallDisk disk) {
    return disk.directory().resolve("rocksdb");
  }

  Cluster cluster() {
    return cluster;
  }

  LabNode node(int number) {
    return cluster.node(number);
  }

  Jmx jmx(int number) throws IOException {
    return new Jmx(node(number));
  }

  /**
   * Repairs all that a node has a part in; returns when it has ended.
   *
   * @throws IllegalStateException if it fails
   */
  void repair(int number) throws IOException, InterruptedException {
    try (Jmx jmx = jmx(number)) {
      jmx.repair(Map.of("incremental", "false"));
    }
  }

  /** Those that have a part of the rows, by number. */
  List<Integer> members() {
    return List.copyOf(tokens.keySet());
  }

  SmallDisk disk(int node) {
    return disks.get(node);
  }

  /** Where the rows begin that a member is the first replica of. */
  long previousToken(int node) {
    TreeSet<Long> all = new TreeSet<>(tokens.values());
    Long lower = all.lower(tokens.get(node));
    return lower == null ? all.last() : lower;
  }

  /** A place behind another in the ring, so many eighths of the way to a member's. */
  long tokenBefore(int node, int eighths) {
    long part = tokens.get(node) - previousToken(node);
    long token = tokens.get(node) - Long.divideUnsigned(part, 8) * eighths;
    // That of the member that is away is kept for the one that comes.
    return token == freeToken ? token + 1 : token;
  }

  /** Notes that a member has another place in the ring. */
  void moved(int node, long token) {
    tokens.put(node, token);
  }

  /** Kills a member that another one will take the part of: it is not started again. */
  void lose(int node) throws IOException {
    lost = node;
    node(node).kill();
  }

  /** Notes that a member has given its part to the others. */
  void left(int node) {
    freeToken = tokens.remove(node);
  }

  /** Starts a node that has left as a new one, in the place that is free. */
  void join(int node) throws IOException {
    join(node, freeToken, Optional.empty());
    tokens.put(node, freeToken);
  }

  /** Starts a node that has left as one that takes the part of a dead one. */
  void replace(int dead, int node) throws IOException {
    long token = tokens.get(dead);
    join(node, token, Optional.of(node(dead)));
    tokens.remove(dead);
    tokens.put(node, token);
    lost = 0;
  }

  private void join(int node, long token, Optional<LabNode> replaced) throws IOException {
    empty(node);
    try {
      node(node).join(liveMember(), token, replaced);
    } catch (IOException | IllegalStateException e) {
      node(node).kill(); // others that start would wait for it
      throw e;
    }
  }

  /** RocksDB's files are not in the node's directory if they are on a disk of their own. */
  private void empty(int node) throws IOException {
    SmallDisk disk = disks.get(node);
    if (disk != null) {
      Directories.delete(rocks(disk));
    }
  }

  /** One of the members that are up. */
  LabNode liveMember() {
    return tokens.keySet().stream()
        .map(this::node)
        .filter(LabNode::isAlive)
        .findFirst()
        .orElseThrow();
  }

  /** Starts what is dead of the members, so that all of them are up. */
  void restart() throws IOException {
    for (int node : tokens.keySet()) {
      if (node != lost && !node(node).isAlive()) {
        restart(node);
      }
    }
  }

  /** Starts a member again on what it has. */
  void restart(int node) throws IOException {
    if (!node(node).isAlive()) { // else it is stopped, and leaves nothing in its log
      (Plan.hasEngine(node) ? engineReplays : stockReplays).incrementAndGet();
    }
    node(node).restart();
  }

  /**
   * How often a node that was killed has read Cassandra's log at a start, or is about to. Any
   * thread.
   *
   * @param ofAll whether those with the engine count
   */
  int replays(boolean ofAll) {
    return stockReplays.get() + (ofAll ? engineReplays.get() : 0);
  }

  /**
   * Starts members again that have another schema than most: on a busy machine a node may not hear
   * of a change, and asks for it when it starts.
   */
  void restartStrangers() throws IOException {
    List<?> most;
    try (Jmx jmx = new Jmx(liveMember())) {
      most = Collections.max(jmx.hostsBySchema(), Comparator.comparingInt(List::size));
    }
    for (int node : tokens.keySet()) {
      if (node != lost && !most.contains(node(node).host())) {
        restart(node);
      }
    }
  }

  /** Kills all members with the engine at once, and starts them again. */
  void killEngines() throws IOException {
    for (int node : tokens.keySet()) {
      if (Plan.hasEngine(node)) {
        node(node).kill();
      }
    }
    restart();
  }

  /** Those with the engine, members or not. */
  List<Integer> engineNodes() {
    return cluster.nodes().stream().map(LabNode::index).filter(Plan::hasEngine).toList();
  }

  /** Where each node's log is. */
  List<String> logs() {
    return cluster.nodes().stream().map(node -> node.logFile().toString()).toList();
  }

  @Override
  public void close() throws IOException {
    Closeable allDisks = () -> ClosedTogether.all(disks.values(), SmallDisk::close);
    try (allDisks) {
      cluster.close();
    }
  }
}
