/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.LoadBalancingPolicy;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.api.core.specex.SpeculativeExecutionPolicy;
import com.datastax.oss.driver.internal.core.channel.DriverChannel;
import com.datastax.oss.driver.internal.core.channel.InFlightHandler;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.driver.internal.core.metadata.DefaultMetadata;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import com.datastax.oss.driver.internal.core.metadata.schema.DefaultKeyspaceMetadata;
import com.datastax.oss.driver.internal.core.metadata.token.DefaultTokenMap;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import com.datastax.oss.driver.internal.core.pool.ChannelPool;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.session.PoolManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * A session of the stock driver as it is when connected to a cluster, without the network: its own
 * context, metadata, token map, nodes, connection pools and stream ids, put together by reflection.
 * Nothing is mocked, so that what is measured is the driver's own byte code.
 *
 * <p>One data centre, three racks, replication factor 3, 16 tokens and one connection a node, 0 to
 * 7 requests in flight on each.
 */
final class DriverRig implements AutoCloseable {
  private static final CqlIdentifier KEYSPACE = CqlIdentifier.fromInternal("bench");
  private static final int TOKENS = 16;
  private static final int STREAM_IDS = 1024;

  final DefaultDriverContext context;
  final DefaultSession session;
  private final Map<UUID, Node> nodes = new LinkedHashMap<>();
  private final Random random = new Random(42);

  DriverRig(
      int nodeCount,
      Class<? extends LoadBalancingPolicy> policy,
      Class<? extends SpeculativeExecutionPolicy> copies)
      throws ReflectiveOperationException, UnknownHostException {
    context =
        new DefaultDriverContext(
            DriverConfigLoader.programmaticBuilder()
                .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, policy)
                .withClass(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS, copies)
                .withDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION, Duration.ofMillis(1))
                .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                .withString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, "dc1")
                .withString(() -> "basic.load-balancing-policy.local-rack", "rack1")
                .build(),
            ProgrammaticArguments.builder().build());
    List<Node> list = new ArrayList<>();
    for (int i = 0; i < nodeCount; i++) {
      Node node = node(i);
      nodes.put(node.getHostId(), node);
      list.add(node);
    }
    publishMetadata(list);

    session = Reflection.allocate(DefaultSession.class);
    PoolManager pools = new PoolManager(context);
    Reflection.set(session, "poolManager", pools);
    Reflection.set(session, "context", context);
    for (Node node : list) {
      pools.getPools().put(node, pool(random.nextInt(8)));
    }
  }

  /** The policy of the default profile, initialised with the nodes, all at distance local. */
  LoadBalancingPolicy policy() {
    LoadBalancingPolicy policy = context.getLoadBalancingPolicy("default");
    policy.init(nodes, (node, distance) -> {});
    return policy;
  }

  List<Node> nodes() {
    return List.copyOf(nodes.values());
  }

  /** Statements with random 16-byte partition keys, or without any. */
  SimpleStatement[] statements(int count, boolean withToken) {
    SimpleStatement[] statements = new SimpleStatement[count];
    for (int i = 0; i < count; i++) {
      SimpleStatement statement = SimpleStatement.newInstance("SELECT v FROM bench.t WHERE k = ?");
      if (withToken) {
        ByteBuffer key = ByteBuffer.allocate(16);
        key.putLong(random.nextLong()).putLong(random.nextLong()).flip();
        statement = statement.setRoutingKeyspace(KEYSPACE).setRoutingKey(key);
      }
      statements[i] = statement;
    }
    return statements;
  }

  @Override
  public void close() {
    context.getNettyOptions().onClose().awaitUninterruptibly();
  }

  private Node node(int index) throws ReflectiveOperationException, UnknownHostException {
    byte[] address = {127, 1, (byte) (index >> 8), (byte) index};
    DefaultEndPoint endPoint =
        new DefaultEndPoint(new InetSocketAddress(InetAddress.getByAddress(address), 9042));
    DefaultNode node = new DefaultNode(endPoint, context);
    Reflection.set(node, "datacenter", "dc1");
    Reflection.set(node, "rack", "rack" + (1 + index % 3));
    Reflection.set(node, "hostId", new UUID(random.nextLong(), random.nextLong()));
    Reflection.set(node, "state", NodeState.UP);
    Set<String> tokens = new HashSet<>();
    while (tokens.size() < TOKENS) {
      tokens.add(Long.toString(random.nextLong()));
    }
    Reflection.set(node, "rawTokens", tokens);
    return node;
  }

  private void publishMetadata(List<Node> list) throws ReflectiveOperationException {
    Map<String, String> replication =
        Map.of("class", "org.apache.cassandra.locator.NetworkTopologyStrategy", "dc1", "3");
    KeyspaceMetadata keyspace =
        new DefaultKeyspaceMetadata(
            KEYSPACE, true, false, replication, Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
    DefaultTokenMap tokenMap =
        DefaultTokenMap.build(
            list,
            List.of(keyspace),
            new Murmur3TokenFactory(),
            context.getReplicationStrategyFactory(),
            "bench");
    Object metadata =
        Reflection.construct(
            DefaultMetadata.class, nodes, Map.of(KEYSPACE, keyspace), tokenMap, "bench");
    Reflection.set(context.getMetadataManager(), "metadata", metadata);
    Reflection.set(
        context.getMetadataManager(), "contactPoints", Set.of((DefaultNode) list.get(0)));
  }

  private static ChannelPool pool(int inFlight) throws ReflectiveOperationException {
    Object streamIds =
        Reflection.construct(
            Class.forName("com.datastax.oss.driver.internal.core.channel.StreamIdGenerator"),
            STREAM_IDS);
    for (int i = 0; i < inFlight; i++) {
      Reflection.call(streamIds, "preAcquire");
    }
    InFlightHandler handler = Reflection.allocate(InFlightHandler.class);
    Reflection.set(handler, "streamIds", streamIds);
    DriverChannel channel = Reflection.allocate(DriverChannel.class);
    Reflection.set(channel, "inFlightHandler", handler);
    Object channels =
        Reflection.construct(
            Class.forName("com.datastax.oss.driver.internal.core.pool.ChannelSet"));
    Reflection.call(channels, "add", channel);
    ChannelPool pool = Reflection.allocate(ChannelPool.class);
    Reflection.set(pool, "channels", channels);
    return pool;
  }
}
