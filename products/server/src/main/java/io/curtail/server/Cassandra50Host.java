/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.concurrent.ExecutorLocals;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.IndexStatusManager;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.LatencyMetrics;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.metrics.ThreadPoolMetrics;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessageFlag;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientWarn;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/** What a Cassandra 5.0 node says of itself and its cluster while it runs. Thread-safe. */
final class Cassandra50Host implements Host {
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

  private final IEndpointSnitch topology;
  private volatile ThreadPoolMetrics requestThreads;

  Cassandra50Host(IEndpointSnitch topology) {
    this.topology = topology;
  }

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
  public boolean sendProbe(Object read, InetAddressAndPort to, Consumer<Throwable> failed) {
    ReadCommand command = (ReadCommand) read;
    TableMetadata table = command.metadata();
    if (!hasColumnsOf(table, Schema.instance.getTableMetadata(table.id))
        || !isReplica(to, command)
        || !hasIndexes(to, command)) {
      return false;
    }
    aside(
        () -> {
          try {
            send(command, to);
          } catch (Throwable e) {
            failed.accept(e);
          }
        });
    return true;
  }

  /**
   * Does something beside the request of this thread, which remembers what it has yet to send: on
   * another thread, and not within the request's trace, which would tell of it as the request's.
   */
  static void aside(Runnable task) {
    Stage.MISC.execute(ExecutorLocals.create(null), task);
  }

  /**
   * Whether a read of the table as it was can be sent as it is now. A statement that was prepared
   * before a change of the table's options keeps the table of then.
   *
   * @param now null if the table was dropped
   */
  static boolean hasColumnsOf(TableMetadata then, TableMetadata now) {
    return now != null && then.regularAndStaticColumns().equals(now.regularAndStaticColumns());
  }

  @Override
  public boolean isReplica(InetAddressAndPort endpoint, Object read) {
    if (!(read instanceof SinglePartitionReadCommand)) {
      return false;
    }
    SinglePartitionReadCommand command = (SinglePartitionReadCommand) read;
    Keyspace keyspace = Schema.instance.getKeyspaceInstance(command.metadata().keyspace);
    return keyspace != null // it may have been dropped
        && isFull(
            endpoint,
            keyspace
                .getReplicationStrategy()
                .getNaturalReplicasForToken(command.partitionKey().getToken()));
  }

  // A transient one refuses reads of all data, with an error in its log.
  static boolean isFull(InetAddressAndPort endpoint, EndpointsForToken replicas) {
    Replica replica = replicas.byEndpoint().get(endpoint);
    return replica != null && replica.isFull();
  }

  /**
   * Whether the node has built all indexes that the read asks for. Cassandra prefers those that
   * have; of the others some fail such a read.
   */
  static boolean hasIndexes(InetAddressAndPort endpoint, ReadCommand command) {
    if (command.indexQueryPlan() == null) {
      return true;
    }
    for (Index index : command.indexQueryPlan().getIndexes()) {
      Index.Status status =
          IndexStatusManager.instance.getIndexStatus(
              endpoint, command.metadata().keyspace, index.getIndexMetadata().name);
      if (status != Index.Status.BUILD_SUCCEEDED || !index.isQueryable(status)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean mayAskEachDataCenter(Object read, int answers) {
    String name = ((ReadCommand) read).metadata().keyspace;
    Keyspace keyspace = Schema.instance.getKeyspaceInstance(name);
    return keyspace == null || isOfEachDataCenter(keyspace.getReplicationStrategy(), answers);
  }

  // The level that a request waits at is not to be had from what waits for its answers.
  static boolean isOfEachDataCenter(AbstractReplicationStrategy strategy, int answers) {
    return strategy instanceof NetworkTopologyStrategy
        && ((NetworkTopologyStrategy) strategy).getDatacenters().size() > 1
        && answers == ConsistencyLevel.EACH_QUORUM.blockFor(strategy);
  }

  private static void send(ReadCommand command, InetAddressAndPort to) {
    MessagingService.instance().sendWithCallback(probe(command), to, IGNORE_ANSWER);
  }

  // With a request's thresholds, as Cassandra's own message of the read has them.
  static Message<ReadCommand> probe(ReadCommand command) {
    return command.isTrackingWarnings()
        ? Message.outWithFlags(
            Verb.READ_REQ, command, MessageFlag.CALL_BACK_ON_FAILURE, MessageFlag.TRACK_WARNINGS)
        : Message.outWithFlag(Verb.READ_REQ, command, MessageFlag.CALL_BACK_ON_FAILURE);
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
    // In this order a read that starts meanwhile counts twice, not never.
    int pending = executor.getPendingTaskCount();
    int active = executor.getActiveTaskCount() - (withoutThisThread ? 1 : 0);
    return new Feedback(
        Math.max(0, pending),
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
  public List<TableReads> tables(ReadKind kind) {
    List<TableReads> tables = new ArrayList<>();
    for (String name : Schema.instance.getKeyspaces()) {
      if (SchemaConstants.isLocalSystemKeyspace(name)) {
        continue;
      }
      Keyspace keyspace = Schema.instance.getKeyspaceInstance(name);
      if (keyspace != null) {
        for (ColumnFamilyStore table : keyspace.getColumnFamilyStores()) {
          tables.add(new Latency(latency(table.metric, kind)));
        }
      }
    }
    return tables;
  }

  private static LatencyMetrics latency(TableMetrics metric, ReadKind kind) {
    return kind == ReadKind.POINT ? metric.readLatency : metric.rangeLatency;
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
