/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.patiently;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.simulacron.common.cluster.ClusterSpec;
import com.datastax.oss.simulacron.common.cluster.DataCenterSpec;
import com.datastax.oss.simulacron.server.BoundCluster;
import com.datastax.oss.simulacron.server.BoundNode;
import com.datastax.oss.simulacron.server.Inet4Resolver;
import com.datastax.oss.simulacron.server.Server;
import io.curtail.testnode.UnusedAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Simulacron nodes on loopback addresses, in three racks a data centre, and real sessions to them.
 */
final class SimulatedCluster implements AutoCloseable {

  static final int ENOUGH_TO_SAVE_FOR_A_COPY = 2000;

  private static final int PORT = 9042;

  private final Server server;
  private final BoundCluster cluster;
  private final List<CqlSession> sessions = new ArrayList<>();

  /**
   * @param nodesOf how many nodes each data centre has; they are named dc1, dc2, ...
   */
  SimulatedCluster(int... nodesOf) {
    this(query -> {}, false, nodesOf);
  }

  /** One that tells of each request as it comes to a node; its nodes keep them all. */
  static SimulatedCluster heardBy(Consumer<String> queries, int... nodesOf) {
    return new SimulatedCluster(queries, true, nodesOf);
  }

  private SimulatedCluster(Consumer<String> queries, boolean isHeard, int... nodesOf) {
    server =
        Server.builder()
            .withAddressResolver(new Inet4Resolver(UnusedAddress.ofBlock(20, 50, PORT), PORT))
            .withActivityLoggingEnabled(isHeard)
            .withBindTimeout(PATIENCE.toMinutes(), TimeUnit.MINUTES)
            .build();
    ClusterSpec.Builder builder = ClusterSpec.builder();
    ClusterSpec spec = builder.build();
    for (int dc = 0; dc < nodesOf.length; dc++) {
      DataCenterSpec datacenter = spec.addDataCenter().withName("dc" + (dc + 1)).build();
      for (int i = 0; i < nodesOf[dc]; i++) {
        datacenter.addNode().withPeerInfo("rack", "rack" + (1 + i % 3)).build();
      }
    }
    cluster = server.register(spec);
    if (isHeard) {
      cluster.registerQueryListener((node, log) -> queries.accept(log.getQuery()));
    }
  }

  BoundCluster nodes() {
    return cluster;
  }

  BoundNode node(int datacenter, int index) {
    return cluster.node(datacenter, index);
  }

  BoundNode of(Node node) {
    return cluster.getNodes().stream()
        .filter(bound -> bound.getAddress().equals(node.getEndPoint().resolve()))
        .findFirst()
        .orElseThrow();
  }

  /** As a contact point. */
  String address(int datacenter, int index) {
    InetSocketAddress address = (InetSocketAddress) cluster.node(datacenter, index).getAddress();
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  CqlSession connect() {
    return connect(config -> {});
  }

  /**
   * A session with Curtail's policy, in data centre dc1 and rack1 unless the settings say
   * otherwise.
   */
  CqlSession connect(Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
    return connect(CqlSession.builder(), settings);
  }

  /**
   * @param metricRegistry null for the driver's own
   */
  CqlSession connect(
      Object metricRegistry, Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
    return connect(CqlSession.builder().withMetricRegistry(metricRegistry), settings);
  }

  CqlSession connect(
      CqlSessionBuilder builder, Consumer<ProgrammaticDriverConfigLoaderBuilder> settings) {
    ProgrammaticDriverConfigLoaderBuilder config =
        DriverConfigLoader.programmaticBuilder()
            .withClass(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, WeightedLeastLoadedPolicy.class)
            .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, "dc1")
            .withString(WeightedOption.LOCAL_RACK, "rack1")
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(100))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(500))
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
    settings.accept(config);
    CqlSession session =
        builder
            .addContactPoint((InetSocketAddress) cluster.node(0, 0).getAddress())
            .withConfigLoader(config.build())
            .build();
    sessions.add(session);
    return session;
  }

  /** Returns when so many nodes are up and connected. */
  static void awaitConnected(CqlSession session, int nodes) {
    await(
        () ->
            session.getMetadata().getNodes().values().stream()
                    .filter(node -> node.getState() == NodeState.UP)
                    .filter(node -> node.getOpenConnections() > 0)
                    .count()
                == nodes);
  }

  /** AdaptivePolicy with second copies, which leave as soon as they are due. */
  static ProgrammaticDriverConfigLoaderBuilder hedged(
      ProgrammaticDriverConfigLoaderBuilder config) {
    return config
        .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, AdaptivePolicy.class)
        .withClass(
            DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
            AdaptiveSpeculativeExecution.class)
        .withDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION, Duration.ofMillis(1));
  }

  /**
   * Sends so many requests that the session has saved for copies, and until all nodes are known and
   * none is slower than usual, as all are when the machine is busy: it would get none.
   */
  static void saveForCopies(CqlSession session, SimpleStatement query) {
    for (int i = 0; i < ENOUGH_TO_SAVE_FOR_A_COPY; i++) {
      session.execute(query);
    }
    Collection<Node> nodes = session.getMetadata().getNodes().values();
    patiently()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              nodes.forEach(node -> session.execute(query.setNode(node)));
              return nodes.stream().noneMatch(node -> policy(session).tracked(node).tail.isSlow());
            });
  }

  /** The policy of a session's default profile. */
  static WeightedLeastLoadedPolicy policy(CqlSession session) {
    return policy(session, "default");
  }

  static WeightedLeastLoadedPolicy policy(CqlSession session, String profile) {
    return (WeightedLeastLoadedPolicy) session.getContext().getLoadBalancingPolicy(profile);
  }

  /** The nodes of a session in a rack of dc1. */
  static List<Node> rack(CqlSession session, String rack) {
    return session.getMetadata().getNodes().values().stream()
        .filter(node -> "dc1".equals(node.getDatacenter()) && rack.equals(node.getRack()))
        .collect(Collectors.toList());
  }

  @Override
  public void close() {
    // Without waiting for requests that nobody answers.
    sessions.forEach(session -> session.forceCloseAsync().toCompletableFuture().join());
    server.close();
  }
}
