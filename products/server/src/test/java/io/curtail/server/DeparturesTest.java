/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.passing.Route;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableParams;
import org.apache.cassandra.service.reads.AlwaysSpeculativeRetryPolicy;
import org.apache.cassandra.service.reads.NeverSpeculativeRetryPolicy;
import org.apache.cassandra.service.reads.SpeculativeRetryPolicy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads that leave a coordinator in more than one message. */
class DeparturesTest {
  private final FakeHost host = new FakeHost();
  private final Counts counts = new Counts();
  private final LiveSettings live = new LiveSettings(Settings.defaults(), host, counts, mode -> {});
  private final Guard guard = new Guard(host::nanoTime, live::switchPassingOff);
  private final LocalReads localReads = new LocalReads(host);
  private final SecondCopies copies = new SecondCopies(live, counts, guard);
  private final PassedReads reads = new PassedReads(live, host, localReads, copies, counts);
  private final ReplicaSorter sorter = new ReplicaSorter(host, localReads);
  private final Cassandra50Departures departures =
      new Cassandra50Departures(
          new Cassandra50Carrier(reads, copies, null, null, live, host, counts, guard),
          reads,
          copies,
          live,
          host,
          ThreadLocal.withInitial(() -> sorter),
          counts);

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  private static TableMetadata.Builder table(SpeculativeRetryPolicy retry) {
    return TableMetadata.builder("k", "t", TableId.fromUUID(new UUID(1, 2)))
        .partitioner(new LocalPartitioner(Int32Type.instance))
        .addPartitionKeyColumn("id", Int32Type.instance)
        .params(TableParams.builder().speculativeRetry(retry).build());
  }

  private static SinglePartitionReadCommand read(TableMetadata table) {
    return SinglePartitionReadCommand.fullPartitionRead(
        table, 0, table.partitioner.decorateKey(Int32Type.instance.decompose(7)));
  }

  /** Cassandra sends the same message to several replicas where a table always asks one more. */
  @Test
  void should_not_pass_a_read_on_to_a_replica_that_its_own_message_went_to() {
    SinglePartitionReadCommand command = read(table(AlwaysSpeculativeRetryPolicy.INSTANCE).build());
    Message<?> message = Message.out(Verb._TEST_1, command, Long.MAX_VALUE);
    Route route = new Route(address(2), address(3), address(4));
    CarriedRead read =
        new CarriedRead(
            message.id(), command.partitionKey().getToken(), route, 0, message, new Object(), 0);
    host.request = new Object();
    sorter.context().enter(host.request);
    sorter.context().onCarried(read);

    assertThat(departures.redirects(message, address(3))).isFalse();
    assertThat(read.next(route, 1)).isZero();
    assertThat(departures.redirects(message, address(2))).isFalse();
    assertThat(read.next(route, 2)).isEqualTo(2);
  }

  /** A statement that was prepared before has the table as it was then. */
  @Test
  void should_take_speculative_retry_from_the_table_as_it_is_now() {
    SinglePartitionReadCommand prepared = read(table(NeverSpeculativeRetryPolicy.INSTANCE).build());
    assertThat(Cassandra50Departures.isRetried(prepared, NeverSpeculativeRetryPolicy.INSTANCE))
        .isTrue();
    VirtualKeyspaceRegistry.instance.register(
        new VirtualKeyspace(
            "k",
            List.<VirtualTable>of(
                new AbstractVirtualTable(
                    table(AlwaysSpeculativeRetryPolicy.INSTANCE)
                        .kind(TableMetadata.Kind.VIRTUAL)
                        .build()) {
                  @Override
                  public DataSet data() {
                    throw new UnsupportedOperationException();
                  }
                })));
    assertThat(Cassandra50Departures.isRetried(prepared, AlwaysSpeculativeRetryPolicy.INSTANCE))
        .isTrue();
    assertThat(Cassandra50Departures.isRetried(prepared, NeverSpeculativeRetryPolicy.INSTANCE))
        .isFalse();
  }
}
