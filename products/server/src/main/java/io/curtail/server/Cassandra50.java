/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.DefaultNameFactory;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * What the plug-in makes by name, asks of and registers with a Cassandra 5.0 node when it is set
 * up. Like {@link Cassandra50Host}, {@link Cassandra50Messages}, {@link Cassandra50Queries} and
 * {@link Cassandra50DynamicSnitch} it names internals of that release line: another line has five
 * such files of its own. All of it is public API of its classes; nothing is reflected. Thread-safe.
 */
final class Cassandra50 {
  private static final String LOCATOR_PACKAGE = "org.apache.cassandra.locator.";
  private static final DefaultNameFactory METRICS = new DefaultNameFactory("Curtail");

  private Cassandra50() {}

  /** Makes the snitch of that name as {@code cassandra.yaml} would. */
  static IEndpointSnitch construct(String className) {
    String full = className.contains(".") ? className : LOCATOR_PACKAGE + className;
    return construct(full, "delegate snitch", IEndpointSnitch.class);
  }

  // FBUtilities.construct(name, readable, type) is newer than 5.0.0.
  private static <T> T construct(String className, String readable, Class<T> type) {
    Object made = FBUtilities.construct(className, readable);
    if (!type.isInstance(made)) {
      throw refusal(readable + ": " + className + " is not a " + type.getSimpleName());
    }
    return type.cast(made);
  }

  static ConfigurationException refusal(String message) {
    return new ConfigurationException(message, false);
  }

  static RuntimeException overloaded(String message) {
    return new OverloadedException(message);
  }

  static QueryHandler queryHandler(String className) {
    return className == null
        ? QueryProcessor.instance
        : construct(className, "query handler", QueryHandler.class);
  }

  /** Whether {@code dynamic_snitch} is on, so that another dynamic snitch is around ours. */
  static boolean isWrapped() {
    return DatabaseDescriptor.getEndpointSnitch() instanceof DynamicEndpointSnitch;
  }

  /** Whether this process is one of Cassandra's tools, not a node. */
  static boolean isTool() {
    return DatabaseDescriptor.isToolInitialized();
  }

  /** Whether the node has a snitch already, which JMX is about to exchange. */
  static boolean isExchange() {
    return DatabaseDescriptor.isDaemonInitialized()
        && DatabaseDescriptor.getEndpointSnitch() != null;
  }

  /** Whether ours is the snitch of the node now; JMX can exchange it. */
  static boolean isInUse() {
    IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    return snitch instanceof CurtailSnitch
        || (snitch instanceof DynamicEndpointSnitch
            && ((DynamicEndpointSnitch) snitch).subsnitch instanceof CurtailSnitch);
  }

  /** What this node wrote down of its peers when it last ran: data centre and rack. */
  static Map<InetAddressAndPort, Map<String, String>> rememberedTopology() {
    return SystemKeyspace.loadDcRackInfo();
  }

  /** Returns whether the cluster has a keyspace of that name, which a virtual one would hide. */
  static boolean hasKeyspace(String name) {
    return Schema.instance.getKeyspaces().contains(name);
  }

  static void register(VirtualKeyspace keyspace) {
    VirtualKeyspaceRegistry.instance.register(keyspace);
  }

  static void registerMBean(Object bean, String name) {
    if (!MBeanWrapper.instance.isRegistered(name)) {
      MBeanWrapper.instance.registerMBean(bean, name);
    }
  }

  /** Registers a gauge among Cassandra's own metrics, where every exporter finds it. */
  static void registerGauge(String name, com.codahale.metrics.Gauge<?> gauge) {
    CassandraMetricsRegistry.Metrics.register(METRICS.createMetricName(name), gauge);
  }

  static void registerGauge(
      String name, InetAddressAndPort peer, com.codahale.metrics.Gauge<?> gauge) {
    CassandraMetricsRegistry.Metrics.register(perPeer(peer).createMetricName(name), gauge);
  }

  static void removeGauge(String name, InetAddressAndPort peer) {
    CassandraMetricsRegistry.Metrics.remove(perPeer(peer).createMetricName(name));
  }

  // By the address alone: of this node its name may be known, too.
  static DefaultNameFactory perPeer(InetAddressAndPort peer) {
    return new DefaultNameFactory("Curtail", peer.getHostAddressAndPort().replace(':', '.'));
  }

  /** Returns whose fault it is; a reason that is not known here is the replica's. */
  static FailureCause causeOf(RequestFailureReason reason) {
    switch (reason) {
      case READ_TOO_MANY_TOMBSTONES:
      case READ_SIZE:
      case READ_TOO_MANY_INDEXES:
      case INDEX_NOT_AVAILABLE:
      case INCOMPATIBLE_SCHEMA:
        return FailureCause.READ;
      default:
        return FailureCause.REPLICA;
    }
  }

  static void subscribe(PeerListener peers) {
    Gossiper.instance.register(
        new IEndpointStateChangeSubscriber() {
          @Override
          public void onDead(InetAddressAndPort endpoint, EndpointState state) {
            peers.onDown(endpoint);
          }

          @Override
          public void onRestart(InetAddressAndPort endpoint, EndpointState state) {
            peers.onRestarted(endpoint);
          }

          @Override
          public void onRemove(InetAddressAndPort endpoint) {
            peers.onRemoved(endpoint);
          }
        });
  }
}
