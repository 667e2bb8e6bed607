/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryHandler;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a node learns of its own data from requests that fail, before their clients hear it. */
class CurtailQueryHandlerTest extends CoordinatorParts {
  private ReadFailureException failure;
  private final CurtailQueryHandler handler = new CurtailQueryHandler(failing(), () -> parts.hooks);

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
    TableMetadata table =
        TableMetadata.builder("own", "t", TableId.fromUUID(new UUID(1, 6)))
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("id", Int32Type.instance)
            .build();
    KeyspaceMetadata keyspace =
        KeyspaceMetadata.create("own", KeyspaceParams.simple(3), Tables.of(table));
    Schema.instance.transform(all -> all.withAddedOrUpdated(keyspace));
  }

  private QueryHandler failing() {
    return (QueryHandler)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {QueryHandler.class},
            (self, method, arguments) -> {
              throw failure;
            });
  }

  private void fails(CQLStatement statement, Map<InetAddressAndPort, RequestFailureReason> by) {
    live.set(Map.of("mode", "rank"));
    failure = new ReadFailureException("as a test wants", ConsistencyLevel.ONE, 0, 1, false, by) {};
    assertThatThrownBy(() -> handler.process(statement, null, null, null, null)).isSameAs(failure);
    assertThatThrownBy(() -> handler.processPrepared(statement, null, null, null, null))
        .isSameAs(failure);
  }

  private Peer self() {
    return live.policy().peers().of(host.self());
  }

  @Test
  void should_tell_the_client_what_failed_when_its_own_look_at_that_fails() {
    fails(null, null);
    assertThat(parts.guard.errors()).isEqualTo(2);
    assertThat(self().counts.failed.sum()).isZero();
  }

  @Test
  void should_hold_a_failure_of_its_own_replica_against_this_node() {
    fails(null, Map.of(FakeHost.address(2), RequestFailureReason.UNKNOWN));
    fails(null, Map.of(host.self(), RequestFailureReason.READ_TOO_MANY_TOMBSTONES));
    assertThat(self().counts.failed.sum()).isZero();
    fails(null, Map.of(host.self(), RequestFailureReason.UNKNOWN));
    assertThat(self().counts.failed.sum()).isEqualTo(2);
    assertThat(parts.guard.errors()).isZero();
  }

  /** A failure counts as a sample of the timeout, which would be all that is known of the other. */
  @Test
  void should_hold_a_failure_against_reads_of_its_kind_only() {
    Map<InetAddressAndPort, RequestFailureReason> own =
        Map.of(host.self(), RequestFailureReason.UNKNOWN);
    fails(select("SELECT * FROM own.t WHERE id = 1"), own);
    assertThat(self().point.responseTimeNanos()).isEqualTo(5e9);
    assertThat(self().load(ReadKind.RANGE).hasResponded()).isFalse();
    assertThat(self().load(ReadKind.RANGE).failurePenaltyNanos(host.now)).isZero();

    live.policy().peers().remove(host.self());
    fails(select("SELECT * FROM own.t"), own);
    assertThat(self().load(ReadKind.RANGE).responseTimeNanos()).isEqualTo(10e9);
    assertThat(self().point.hasResponded()).isFalse();
    assertThat(self().outstanding()).isZero();
  }

  private static CQLStatement select(String query) {
    return QueryProcessor.parseStatement(query).prepare(ClientState.forInternalCalls());
  }
}
