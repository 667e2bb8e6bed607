/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.curtail.campaign.Progress;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.MemoryLimit;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.load.Dataset;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import io.curtail.lab.meter.CpuMeter;
import io.curtail.lab.meter.HotProcessors;
import io.curtail.lab.network.AddressBlock;
import io.curtail.lab.network.ZoneLatencies;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A running cluster with data, and the clients that measure it. */
public final class Testbed implements AutoCloseable {
  /** Longer than any fault, so that no latency is cut off. */
  public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofMinutes(10);
  private static final int REPLICATION_FACTOR = 3;
  private static final long RECOVERY_SECONDS = 90;
  private static final Duration METADATA_TIMEOUT = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final Dataset dataset;
  private final List<String> clientZones;
  private final HotProcessors hot = HotProcessors.start();
  private final Map<Policy, List<ZoneClient>> clientsByPolicy = new LinkedHashMap<>();
  private final Map<LabNode, NodeManagement> managements = new LinkedHashMap<>();
  private final List<MemoryLimit> limits = new ArrayList<>();
  private CqlSession session;

  private Testbed(Cluster cluster, Dataset dataset, List<String> clientZones) {
    this.dataset = dataset;
    this.cluster = cluster;
    this.clientZones = List.copyOf(clientZones);
  }

  /** Starts the cluster, loads the rows and sets the table up as the user wants it. */
  public static Testbed start(
      ClusterSpec spec, Dataset dataset, ScenarioSettings settings, Progress progress)
      throws IOException, InterruptedException {
    Testbed testbed = new Testbed(Cluster.start(spec, progress), dataset, settings.clientZones());
    try {
      testbed.limitMemory(spec);
      testbed.awaitMetadata();
      testbed.load(progress);
      testbed.session = testbed.session(testbed.cluster.nodes());
      settings.speculativeRetry().ifPresent(retry -> dataset.speculate(testbed.session, retry));
      return testbed;
    } catch (IOException | RuntimeException | InterruptedException e) {
      testbed.close();
      throw e;
    }
  }

  private void limitMemory(ClusterSpec spec) throws IOException {
    if (spec.memoryMebibytes() > 0) {
      for (LabNode node : cluster.nodes()) {
        limits.add(MemoryLimit.start(node.pid(), (long) spec.memoryMebibytes() << 20));
      }
    }
  }

  /** A new node knows its peers' addresses some moments before their data centre. */
  private void awaitMetadata() throws InterruptedException {
    long deadline = System.nanoTime() + METADATA_TIMEOUT.toNanos();
    while (!metadataIsWhole()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "the nodes do not tell clients about each other; logs in " + cluster.directory());
      }
      Thread.sleep(200);
    }
  }

  private boolean metadataIsWhole() {
    for (LabNode node : cluster.nodes()) {
      try (CqlSession session = session(List.of(node))) {
        long known =
            session.getMetadata().getNodes().values().stream()
                .filter(each -> cluster.localDatacenter().equals(each.getDatacenter()))
                .count();
        if (known < cluster.nodes().size()) {
          return false;
        }
      }
    }
    return true;
  }

  private CqlSession session(List<LabNode> contacts) {
    return CqlSession.builder()
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_TIMEOUT)
                .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, REQUEST_TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, REQUEST_TIMEOUT)
                .build())
        .addContactPoints(contacts.stream().map(LabNode::address).toList())
        .withLocalDatacenter(cluster.localDatacenter())
        .build();
  }

  private void load(Progress progress) throws InterruptedException {
    try (CqlSession loader = session(cluster.nodes())) {
      int factor = Math.min(REPLICATION_FACTOR, cluster.nodes().size());
      dataset.createSchema(loader, cluster.localDatacenter(), factor);
      progress.report(
          "loading %,d %s, %d of each"
              .formatted(dataset.rows(), dataset.table().description(), factor));
      dataset.load(loader);
    }
  }

  public Dataset dataset() {
    return dataset;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** For questions and settings beside the load; connected to every node. */
  public CqlSession session() {
    return session;
  }

  /** A node's MBeans; connected at the first call. */
  public NodeManagement management(LabNode node) throws IOException {
    NodeManagement known = managements.get(node);
    if (known == null) {
      known = new NodeManagement(node);
      managements.put(node, known);
    }
    return known;
  }

  CpuMeter startCpuMeter() {
    return new CpuMeter(cluster, hot);
  }

  /**
   * The clients of a policy, one a zone; connected at the first call. They stay open until the
   * testbed is closed, as an application's do, so that no run pays for connecting.
   */
  public List<ZoneClient> clients(Policy policy) {
    return clientsByPolicy.computeIfAbsent(policy, this::connect);
  }

  private List<ZoneClient> connect(Policy policy) {
    Map<String, String> rackByZone = new LinkedHashMap<>();
    for (LabNode node : cluster.nodes()) {
      if (clientZones.isEmpty() || clientZones.contains(node.zone())) {
        rackByZone.put(node.zone(), node.rack());
      }
    }
    List<ZoneClient> clients = new ArrayList<>();
    rackByZone.forEach(
        (zone, rack) ->
            clients.add(
                new ZoneClient(
                    new ZoneClient.Target(
                        cluster.contactPoints(),
                        cluster.localDatacenter(),
                        zone,
                        rack,
                        source(zone),
                        cluster.network(),
                        dataset.table(),
                        REQUEST_TIMEOUT),
                    policy)));
    return List.copyOf(clients);
  }

  /** By its source address a network of the nodes' own knows a client's zone. */
  private InetAddress source(String zone) {
    int index = ZoneLatencies.zones().indexOf(zone);
    return AddressBlock.parse(cluster.addresses().client(index));
  }

  /**
   * Waits until all clients are connected to all nodes again.
   *
   * @throws IllegalStateException if they are not within {@value #RECOVERY_SECONDS} s
   */
  public void awaitRecovery() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RECOVERY_SECONDS);
    while (!allConnected()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "clients are not connected to all nodes " + RECOVERY_SECONDS + " s after a fault");
      }
      Thread.sleep(50);
    }
  }

  private boolean allConnected() {
    int nodes = cluster.nodes().size();
    return ZoneClient.isConnectedTo(session, nodes)
        && clientsByPolicy.values().stream()
            .flatMap(List::stream)
            .allMatch(client -> ZoneClient.isConnectedTo(client.session(), nodes));
  }

  @Override
  public void close() throws IOException {
    hot.close();
    if (session != null) {
      session.close();
    }
    try {
      disconnect();
    } finally {
      cluster.close();
      for (MemoryLimit limit : limits) {
        limit.close();
      }
    }
  }

  /**
   * Closes the clients of all policies and what is connected to the nodes' MBeans; they connect
   * anew when they are asked for. For nodes that are about to be killed.
   */
  public void disconnect() throws IOException {
    clientsByPolicy.values().forEach(clients -> clients.forEach(ZoneClient::close));
    clientsByPolicy.clear();
    for (NodeManagement management : managements.values()) {
      management.close();
    }
    managements.clear();
  }
}
