/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import io.curtail.campaign.ClosedTogether;
import io.curtail.campaign.Progress;
import io.curtail.campaign.process.Polling;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.ClusterSpec;
import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.cluster.MemoryLimit;
import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.load.Dataset;
import io.curtail.lab.load.DriverTimeouts;
import io.curtail.lab.load.OnlyContactPoints;
import io.curtail.lab.load.Policy;
import io.curtail.lab.load.ZoneClient;
import io.curtail.lab.meter.CpuMeter;
import io.curtail.lab.meter.HotProcessors;
import io.curtail.lab.network.AddressBlock;
import io.curtail.lab.network.ZoneLatencies;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** A running cluster with data, and the clients that measure it. */
public final class Testbed implements AutoCloseable {
  /** Longer than any fault, so that no latency is cut off. */
  public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofMinutes(10);
  private static final int REPLICATION_FACTOR = 3;
  private static final long RECOVERY_SECONDS = 180;
  private static final Duration SCHEMA_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration METADATA_TIMEOUT = Duration.ofMinutes(3);

  private final Cluster cluster;
  private final Dataset dataset;
  private final List<String> clientZones;
  private final HotProcessors hot = HotProcessors.start();
  private final Map<Policy, List<ZoneClient>> clientsByPolicy = new LinkedHashMap<>();
  private final Map<LabNode, NodeManagement> managements = new LinkedHashMap<>();
  private final List<MemoryLimit> limits = new ArrayList<>();
  private final List<CqlSession> toCoordinators = new ArrayList<>();
  private CqlSession session;

  private Testbed(Cluster cluster, Dataset dataset, List<String> clientZones) {
    this.dataset = dataset;
    this.cluster = cluster;
    this.clientZones = List.copyOf(clientZones);
  }

  /** A client is beside a node of its zone; where there are coordinators, beside each of these. */
  private static void checkZones(List<String> clientZones, ClusterSpec spec) {
    if (clientZones.isEmpty()) {
      return;
    }
    if (spec.coordinators() > 0) {
      throw new IllegalArgumentException(
          "client-zones: with coordinators each of these has a client, and no other node");
    }
    List<String> zones = IntStream.range(0, spec.zones()).mapToObj(ZoneLatencies::zone).toList();
    if (!zones.containsAll(clientZones)) {
      throw new IllegalArgumentException(
          "client-zones: this scenario has nodes in %s alone, not in each of %s"
              .formatted(String.join(", ", zones), String.join(", ", clientZones)));
    }
  }

  /**
   * Starts the cluster, loads the rows and sets the table up as the user wants it.
   *
   * @throws IllegalArgumentException if a client is to be in a zone without a node
   */
  public static Testbed start(
      ClusterSpec spec, Dataset dataset, ScenarioSettings settings, Progress progress)
      throws IOException, InterruptedException {
    checkZones(settings.clientZones(), spec);
    Testbed testbed = new Testbed(Cluster.start(spec, progress), dataset, settings.clientZones());
    try {
      testbed.limitMemory(spec);
      testbed.awaitMetadata();
      testbed.load(progress);
      testbed.session = testbed.session(testbed.cluster.replicas());
      for (LabNode coordinator : testbed.cluster.coordinators()) {
        testbed.toCoordinators.add(testbed.session(List.of(coordinator)));
      }
      testbed.awaitSchemaOfCoordinators();
      settings.speculativeRetry().ifPresent(testbed::speculate);
      return testbed;
    } catch (IOException | RuntimeException | InterruptedException e) {
      testbed.close();
      throw e;
    }
  }

  /** In how many zones its nodes are. */
  public int zones() {
    return (int) cluster.replicas().stream().map(LabNode::zone).distinct().count();
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
    Polling.until(
        METADATA_TIMEOUT,
        POLL,
        this::metadataIsWhole,
        () -> "the nodes do not tell clients about each other; logs in " + cluster.directory());
  }

  private boolean metadataIsWhole() {
    for (LabNode node : cluster.nodes()) {
      try (CqlSession session = session(List.of(node))) {
        long known =
            session.getMetadata().getNodes().values().stream()
                .filter(each -> cluster.localDatacenter().equals(each.getDatacenter()))
                .count();
        // A coordinator tells of itself and the ring, the ring of no coordinator.
        if (known < cluster.replicas().size() + (node.ownsData() ? 0 : 1)) {
          return false;
        }
      }
    }
    return true;
  }

  private CqlSession session(List<LabNode> contacts) {
    ProgrammaticDriverConfigLoaderBuilder configuration =
        DriverTimeouts.all(REQUEST_TIMEOUT)
            .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT);
    if (contacts.stream().noneMatch(LabNode::ownsData)) {
      configuration.withClass(
          DefaultDriverOption.LOAD_BALANCING_DISTANCE_EVALUATOR_CLASS, OnlyContactPoints.class);
    }
    return CqlSession.builder()
        .withConfigLoader(configuration.build())
        .addContactPoints(contacts.stream().map(LabNode::address).toList())
        .withLocalDatacenter(cluster.localDatacenter())
        .build();
  }

  private void load(Progress progress) throws InterruptedException {
    try (CqlSession loader = session(cluster.replicas())) {
      int factor = copiesOfEachRow();
      dataset.createSchema(loader, cluster.localDatacenter(), factor);
      progress.report(
          String.format(
              Locale.ROOT,
              "loading %,d %s, %d of each",
              dataset.rows(),
              dataset.table().description(),
              factor));
      dataset.load(loader);
    }
  }

  /** On how many nodes each row is. */
  public int copiesOfEachRow() {
    return Math.min(REPLICATION_FACTOR, cluster.replicas().size());
  }

  public Dataset dataset() {
    return dataset;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** For questions and settings beside the load; connected to every node that owns data. */
  public CqlSession session() {
    return session;
  }

  /** Sets when a coordinator sends a second copy of a read, in CQL's words; all of them know. */
  public void speculate(String retry) {
    dataset.speculate(session, retry);
    awaitSchemaOfCoordinators();
  }

  /** The driver's own check leaves out nodes that a session is not connected to. */
  private void awaitSchemaOfCoordinators() {
    Polling.await(
        "coordinators learn the schema",
        SCHEMA_TIMEOUT,
        POLL,
        () ->
            toCoordinators.stream()
                .allMatch(each -> schemaVersion(each).equals(schemaVersion(session))),
        () -> "a coordinator does not learn the schema: waited for " + SCHEMA_TIMEOUT);
  }

  private static UUID schemaVersion(CqlSession asked) {
    return asked.execute("SELECT schema_version FROM system.local").one().getUuid(0);
  }

  /** Together they are connected to every node; to others each knows they are not. */
  public List<CqlSession> sessions() {
    List<CqlSession> all = new ArrayList<>(toCoordinators);
    all.add(session);
    return all;
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
   * The clients of a policy, one a zone, or one for each coordinator that owns no data; connected
   * at the first call. They stay open until the testbed is closed, as an application's do, so that
   * no run pays for connecting.
   */
  public List<ZoneClient> clients(Policy policy) {
    return clientsByPolicy.computeIfAbsent(policy, this::connect);
  }

  private List<ZoneClient> connect(Policy policy) {
    List<LabNode> coordinators = cluster.coordinators();
    if (!coordinators.isEmpty()) {
      return coordinators.stream()
          .map(
              node ->
                  client(
                      List.of(node.address()), node.zone(), node.rack(), policy.ofContactPoints()))
          .toList();
    }
    Map<String, String> rackByZone = new LinkedHashMap<>();
    for (LabNode node : cluster.nodes()) {
      if (clientZones.isEmpty() || clientZones.contains(node.zone())) {
        rackByZone.put(node.zone(), node.rack());
      }
    }
    List<ZoneClient> clients = new ArrayList<>();
    rackByZone.forEach(
        (zone, rack) -> clients.add(client(cluster.contactPoints(), zone, rack, policy)));
    return List.copyOf(clients);
  }

  private ZoneClient client(
      List<InetSocketAddress> contacts, String zone, String rack, Policy policy) {
    return new ZoneClient(
        new ZoneClient.Target(
            contacts,
            cluster.localDatacenter(),
            zone,
            rack,
            source(zone),
            cluster.network(),
            dataset.table(),
            REQUEST_TIMEOUT),
        policy);
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
    Polling.until(
        Duration.ofSeconds(RECOVERY_SECONDS),
        POLL,
        this::allConnected,
        () -> "clients are not connected to all nodes " + RECOVERY_SECONDS + " s after a fault");
  }

  private boolean allConnected() {
    int nodes = cluster.replicas().size();
    int nodesOfClient = toCoordinators.isEmpty() ? nodes : 1;
    return ZoneClient.isConnectedTo(session, nodes)
        && clientsByPolicy.values().stream()
            .flatMap(List::stream)
            .allMatch(client -> ZoneClient.isConnectedTo(client.session(), nodesOfClient));
  }

  @Override
  public void close() throws IOException {
    hot.close();
    if (session != null) {
      session.close();
    }
    toCoordinators.forEach(CqlSession::close);
    Closeable allLimits = () -> ClosedTogether.all(limits, MemoryLimit::close);
    try (allLimits;
        cluster) {
      disconnect();
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
