/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The parts of a replica that carried reads arrive at: what it would serve and send is kept. */
abstract class ArrivalParts extends CoordinatorParts {
  static final TableMetadata TABLE =
      TableMetadata.builder("arriving", "t", TableId.fromUUID(new UUID(1, 6)))
          .kind(TableMetadata.Kind.VIRTUAL)
          .partitioner(new LocalPartitioner(Int32Type.instance))
          .addPartitionKeyColumn("id", Int32Type.instance)
          .build();

  final Cassandra50CarriedArrivals arrivals =
      new Cassandra50CarriedArrivals(reads, live, host, parts.counts, guard);
  final Cassandra50Carrier carrier =
      new Cassandra50Carrier(
          reads, copies, arrivals, parts.traffic, live, host, parts.counts, guard);
  final List<Message<?>> served = new CopyOnWriteArrayList<>();
  final List<Message<?>> sent = new CopyOnWriteArrayList<>();
  private final Predicate<Message<?>> serves = this::serves;
  private final BiPredicate<Message<?>, InetAddressAndPort> sends = this::sends;

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
    VirtualKeyspaceRegistry.instance.register(
        new VirtualKeyspace(
            "arriving",
            List.<VirtualTable>of(
                new AbstractVirtualTable(TABLE) {
                  @Override
                  public DataSet data() {
                    throw new UnsupportedOperationException();
                  }
                })));
  }

  @BeforeEach
  void start() {
    live.set(Map.of("mode", "rank", "passing", "on"));
    MessagingService.instance().inboundSink.add(serves);
    MessagingService.instance().outboundSink.add(sends);
  }

  @AfterEach
  void stop() {
    MessagingService.instance().inboundSink.remove(serves);
    MessagingService.instance().outboundSink.remove(sends);
    assertThat(guard.errors()).isZero();
  }

  private boolean serves(Message<?> message) {
    served.add(message);
    return false;
  }

  private boolean sends(Message<?> message, InetAddressAndPort to) {
    sent.add(message);
    return false;
  }
}
