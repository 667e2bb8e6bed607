/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.IEndpointStateChangeSubscriber;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.DefaultNameFactory;
import org.apache.cassandra.metrics.LatencyMetrics;
import org.apache.cassandra.metrics.ThreadPoolMetrics;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessageFlag;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientWarn;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * Everything that names an internal of Cassandra 5.0: another release line is another such file.
 * All of it is public API of its classes; nothing is reflected. Thread-safe.
 */
final class Cassandra50 implements Host {
  private static final String LOCATOR_PACKAGE = "org.apache.cassandra.locator.";
  private static final DefaultNameFactory METRICS = new DefaultNameFactory("Curtail");

  private final IEndpointSnitch topology;
  private volatile ThreadPoolMetrics requestThreads;

  Cassandra50(IEndpointSnitch topology) {
    this.topology = topology;
  }

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

  private static DefaultNameFactory perPeer(InetAddressAndPort peer) {
    return new DefaultNameFactory("Curtail", peer.toString().substring(1).replace(':', '.'));
  }

  static void subscribe(Membership membership) {
    Gossiper.instance.register(
        new IEndpointStateChangeSubscriber() {
          @Override
          public void onDead(InetAddressAndPort endpoint, EndpointState state) {
            membership.onDown(endpoint);
          }

          @Override
          public void onRestart(InetAddressAndPort endpoint, EndpointState state) {
            membership.onRestarted(endpoint);
          }

          @Override
          public void onRemove(InetAddressAndPort endpoint) {
            membership.onRemoved(endpoint);
          }
        });
  }

  /** Lets the traffic see every read that is sent, served and answered. */
  static void tap(ReadTraffic traffic, Guard guard) {
    MessagingService.instance()
        .inboundSink
        .add(
            message -> {
              try {
                inbound(traffic, message);
              } catch (Throwable e) {
                guard.failed("looking at a message that came", e, System.nanoTime());
              }
              return true;
            });
    MessagingService.instance()
        .outboundSink
        .add(
            (message, to) -> {
              try {
                return outbound(traffic, message, to);
              } catch (Throwable e) {
                guard.failed("looking at a message that goes", e, System.nanoTime());
                return true;
              }
            });
  }

  // On the stage thread of the verb, just before its handler.
  private static void inbound(ReadTraffic traffic, Message<?> message) {
    switch (message.verb()) {
      case READ_REQ:
      case RANGE_REQ:
        traffic.onServing(message.id());
        break;
      case READ_RSP:
      case RANGE_RSP:
        answered(traffic, message);
        break;
      case FAILURE_RSP:
        traffic.onRequestFailed(message.from(), message.id());
        break;
      default:
        break;
    }
  }

  private static void answered(ReadTraffic traffic, Message<?> message) {
    Map<ParamType, Object> parameters = message.header.params();
    if (isRefused(parameters)) {
      traffic.onRequestFailed(message.from(), message.id());
      return;
    }
    Object custom = parameters.get(ParamType.CUSTOM_MAP);
    byte[] feedback =
        custom instanceof Map ? (byte[]) ((Map<?, ?>) custom).get(InternodeFeedback.KEY) : null;
    traffic.onReadAnswered(
        message.from(), message.id(), message.verb() == Verb.RANGE_RSP, feedback);
  }

  // A read over a threshold is answered, quickly, with nothing in it.
  private static boolean isRefused(Map<ParamType, Object> parameters) {
    return parameters.containsKey(ParamType.TOMBSTONE_FAIL)
        || parameters.containsKey(ParamType.LOCAL_READ_SIZE_FAIL)
        || parameters.containsKey(ParamType.ROW_INDEX_READ_SIZE_FAIL)
        || parameters.containsKey(ParamType.TOO_MANY_REFERENCED_INDEXES_FAIL);
  }

  // On the thread that sends; an answer to a read is sent by the thread that served it.
  private static boolean outbound(ReadTraffic traffic, Message<?> message, InetAddressAndPort to) {
    switch (message.verb()) {
      case READ_REQ:
      case RANGE_REQ:
        InetAddressAndPort copyTo =
            traffic.onReadSent(to, message.id(), message.verb() == Verb.RANGE_REQ, message.payload);
        if (copyTo != null) {
          sendCopy((ReadCommand) message.payload, copyTo);
        }
        return true;
      case READ_RSP:
      case RANGE_RSP:
        byte[] feedback = traffic.feedbackFor(message.id());
        if (feedback == null) {
          return true;
        }
        MessagingService.instance().send(withFeedback(message, feedback), to);
        return false;
      default:
        return true;
    }
  }

  private static Message<?> withFeedback(Message<?> message, byte[] feedback) {
    Map<String, byte[]> others = message.header.customParams();
    Map<String, byte[]> all;
    if (others == null || others.isEmpty()) {
      all = Collections.singletonMap(InternodeFeedback.KEY, feedback);
    } else {
      all = new HashMap<>(others);
      all.put(InternodeFeedback.KEY, feedback);
    }
    return message.withParam(ParamType.CUSTOM_MAP, all);
  }

  private static void sendCopy(ReadCommand command, InetAddressAndPort to) {
    MessagingService.instance()
        .sendWithCallback(
            Message.outWithFlag(Verb.READ_REQ, command, MessageFlag.CALL_BACK_ON_FAILURE),
            to,
            IGNORE_ANSWER);
  }

  private static final RequestCallback<Object> IGNORE_ANSWER =
      new RequestCallback<>() {
        @Override
        public void onResponse(Message<Object> answer) {}

        @Override
        public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {}

        @Override
        public boolean invokeOnFailure() {
          return true;
        }
      };

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public InetAddressAndPort self() {
    return FBUtilities.getBroadcastAddressAndPort();
  }

  @Override
  public boolean isMember(InetAddressAndPort endpoint) {
    return StorageService.instance.getTokenMetadata().isMember(endpoint);
  }

  @Override
  public boolean isAlive(InetAddressAndPort endpoint) {
    return FailureDetector.instance.isAlive(endpoint);
  }

  @Override
  public Proximity proximity(InetAddressAndPort endpoint) {
    if (endpoint.equals(self())) {
      return Proximity.SELF;
    }
    if (!topology.getLocalDatacenter().equals(topology.getDatacenter(endpoint))) {
      return Proximity.REMOTE;
    }
    return topology.getLocalRack().equals(topology.getRack(endpoint))
        ? Proximity.RACK
        : Proximity.DATA_CENTER;
  }

  // A request of protocol 4 and later collects its warnings in an object of its own.
  @Override
  public Object request() {
    return ClientWarn.instance.get();
  }

  @Override
  public boolean readAgain(Object read, InetAddressAndPort from, Consumer<Throwable> failed) {
    ReadCommand command = (ReadCommand) read;
    TableMetadata table = command.metadata();
    // Of a table that has changed or is gone, the replica would answer an error.
    if (!table.equals(Schema.instance.getTableMetadata(table.id))) {
      return false;
    }
    // Not on this thread, which remembers what the request on it has yet to send.
    Stage.MISC.execute(
        () -> {
          try {
            sendCopy(command, from);
          } catch (Throwable e) {
            failed.accept(e);
          }
        });
    return true;
  }

  @Override
  public int liveCoordinators() {
    int live = 0;
    for (InetAddressAndPort endpoint : Gossiper.instance.getLiveMembers()) {
      if (proximity(endpoint).isInDataCenter()) {
        live++;
      }
    }
    return live;
  }

  @Override
  public long readTimeoutNanos() {
    return DatabaseDescriptor.getReadRpcTimeout(TimeUnit.NANOSECONDS);
  }

  @Override
  public long rangeTimeoutNanos() {
    return DatabaseDescriptor.getRangeRpcTimeout(TimeUnit.NANOSECONDS);
  }

  @Override
  public Feedback readStage(boolean withoutThisThread, long serviceTimeNanos) {
    ExecutorPlus executor = Stage.READ.executor();
    int active = executor.getActiveTaskCount() - (withoutThisThread ? 1 : 0);
    return new Feedback(
        Math.max(0, executor.getPendingTaskCount()),
        Math.max(0, active),
        executor.getMaximumPoolSize(),
        Math.max(0, serviceTimeNanos));
  }

  @Override
  public Feedback requestStage(long serviceTimeNanos) {
    ThreadPoolMetrics threads = requestThreads;
    if (threads == null) {
      Optional<ThreadPoolMetrics> found =
          CassandraMetricsRegistry.Metrics.getThreadPoolMetrics("Native-Transport-Requests");
      if (found.isEmpty()) {
        return new Feedback(0, 0, 0, Math.max(0, serviceTimeNanos));
      }
      threads = found.get();
      requestThreads = threads;
    }
    return new Feedback(
        Math.max(0, threads.pendingTasks.getValue()),
        Math.max(0, threads.activeTasks.getValue() - 1),
        threads.maxPoolSize.getValue(),
        Math.max(0, serviceTimeNanos));
  }

  @Override
  public List<TableReads> tables() {
    List<TableReads> tables = new ArrayList<>();
    for (String name : Schema.instance.getKeyspaces()) {
      Keyspace keyspace = Schema.instance.getKeyspaceInstance(name);
      if (keyspace != null) {
        for (ColumnFamilyStore table : keyspace.getColumnFamilyStores()) {
          tables.add(new Latency(table.metric.readLatency));
        }
      }
    }
    return tables;
  }

  private static final class Latency implements TableReads {
    private final LatencyMetrics metrics;

    Latency(LatencyMetrics metrics) {
      this.metrics = metrics;
    }

    @Override
    public long count() {
      return metrics.latency.getCount();
    }

    @Override
    public long micros() {
      return metrics.totalLatency.getCount();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Latency && ((Latency) other).metrics == metrics;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(metrics);
    }
  }
}
