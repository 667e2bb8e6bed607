/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.IndexStatusManager;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** To which replicas a read may be sent that Cassandra did not send there. */
class ProbedReplicaTest {
  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  /** With a replication factor of 3/1. */
  @Test
  void should_send_none_to_a_transient_replica() {
    Range<Token> range = new Range<>(new LongToken(0), new LongToken(10));
    EndpointsForToken replicas =
        EndpointsForToken.of(
            new LongToken(5),
            Replica.fullReplica(address(2), range),
            Replica.fullReplica(address(3), range),
            Replica.transientReplica(address(4), range));
    assertThat(Cassandra50Host.isFull(address(2), replicas)).isTrue();
    assertThat(Cassandra50Host.isFull(address(4), replicas)).isFalse();
    assertThat(Cassandra50Host.isFull(address(5), replicas)).isFalse();
  }

  /** It would fail there, which is held against the replica for all its reads. */
  @Test
  void should_send_none_by_an_index_to_a_replica_that_has_not_built_it() {
    TableMetadata table =
        TableMetadata.builder("k", "t", TableId.fromUUID(new UUID(1, 9)))
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("id", Int32Type.instance)
            .build();
    SinglePartitionReadCommand plain =
        SinglePartitionReadCommand.fullPartitionRead(
            table, 0, table.partitioner.decorateKey(Int32Type.instance.decompose(7)));
    SinglePartitionReadCommand byIndex = ReadByIndex.of(plain);
    Map<InetAddressAndPort, Map<String, Index.Status>> statuses =
        IndexStatusManager.instance.peerIndexStatus;
    statuses.put(address(2), Map.of("k.t_index", Index.Status.BUILD_SUCCEEDED));
    statuses.put(address(3), Map.of("k.t_index", Index.Status.FULL_REBUILD_STARTED));
    try {
      assertThat(Cassandra50Host.hasIndexes(address(2), byIndex)).isTrue();
      assertThat(Cassandra50Host.hasIndexes(address(3), byIndex)).isFalse();
      assertThat(Cassandra50Host.hasIndexes(address(4), byIndex)).as("not heard of").isFalse();
      assertThat(Cassandra50Host.hasIndexes(address(3), plain)).isTrue();
    } finally {
      statuses.clear();
    }
  }
}
