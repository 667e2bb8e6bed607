/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.DriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.context.NettyOptions;
import io.curtail.driver.FeedbackSessionBuilder;
import io.curtail.driver.WeightedLeastLoadedPolicy;
import io.curtail.driver.WeightedNodeState;
import io.curtail.lab.network.ZoneNetwork;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;

/**
 * An application server in one zone: a session of the stock driver with a policy whose local rack
 * is that zone's.
 */
public final class ZoneClient implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

  /** Longer than a node stands still while another arm's is measured. */
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofMinutes(10);

  private final String zone;
  private final EventLoopGroup loop;
  private final DelayClock clock = new DelayClock();
  private final CqlSession session;
  private final Requests requests;

  /** How clients reach the cluster; the source address may be null. */
  public record Target(
      Collection<InetSocketAddress> contactPoints,
      String localDatacenter,
      String zone,
      String rack,
      InetAddress source,
      ZoneNetwork network,
      LabTable table,
      Duration requestTimeout) {}

  /**
   * Connects to every node of the local data centre, and prepares the statements.
   *
   * @throws com.datastax.oss.driver.api.core.AllNodesFailedException if none answers
   */
  public ZoneClient(Target target, Policy policy) {
    zone = target.zone();
    loop = ClientThread.start("client-" + zone);
    Priority.preferCollectorOverNodes();
    Priority.preferOverNodes(loop.next());
    session =
        builder(
                policy,
                context ->
                    new LabNettyOptions(
                        context, loop, zone, target.source(), target.network(), clock))
            .withConfigLoader(configuration(target, policy))
            .withLocalDatacenter(target.localDatacenter())
            .addContactPoints(target.contactPoints())
            .build();
    requests = new Requests(session, target.table(), target.requestTimeout());
  }

  private static CqlSessionBuilder builder(
      Policy policy, Function<InternalDriverContext, NettyOptions> network) {
    return policy.hearsNodes()
        ? new FeedbackSessionBuilder().withNettyOptions(network)
        : new LabSessionBuilder(network);
  }

  private static DriverConfigLoader configuration(Target target, Policy policy) {
    ProgrammaticDriverConfigLoaderBuilder builder =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, policy.className())
            .withString(option("local-rack"), target.rack())
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, target.requestTimeout())
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT_TIMEOUT)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, CONNECT_TIMEOUT)
            .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, CONNECT_TIMEOUT)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.SESSION_LEAK_THRESHOLD, 0);
    policy.options().forEach((name, value) -> builder.withString(option(name), value));
    policy.others().forEach((path, value) -> builder.withString(() -> path, value));
    return builder.build();
  }

  private static DriverOption option(String name) {
    return () -> "basic.load-balancing-policy." + name;
  }

  public String zone() {
    return zone;
  }

  public CqlSession session() {
    return session;
  }

  /** Whether a session is connected to all of so many nodes. */
  public static boolean isConnectedTo(CqlSession session, int nodes) {
    int connected = 0;
    for (Node node : session.getMetadata().getNodes().values()) {
      if (node.getState() == NodeState.UP && node.getOpenConnections() > 0) {
        connected++;
      }
    }
    return connected == nodes;
  }

  /** Null if the policy does not count second copies. */
  CopyRecording.Sample copies() {
    if (!(session.getContext().getLoadBalancingPolicy(DriverExecutionProfile.DEFAULT_NAME)
        instanceof WeightedLeastLoadedPolicy policy)) {
      return null;
    }
    Map<String, Long> counts = policy.control().getCopies();
    double delay =
        policy.control().getNodes().stream()
            .mapToDouble(WeightedNodeState::getHedgingDelayMillis)
            .filter(millis -> millis > 0)
            .average()
            .orElse(0);
    return counts.isEmpty() ? null : new CopyRecording.Sample(CopyTotals.of(counts), delay);
  }

  Requests requests() {
    return requests;
  }

  EventLoopGroup loop() {
    return loop;
  }

  DelayClock clock() {
    return clock;
  }

  @Override
  public void close() {
    session.close();
  }
}
