/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.passing.Route;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.IndexStatusManager;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaPlan;
import org.apache.cassandra.locator.ReplicaPlan.ForTokenRead;
import org.apache.cassandra.locator.ReplicaPlan.SharedForTokenRead;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallbacks;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableParams;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.reads.AlwaysSpeculativeRetryPolicy;
import org.apache.cassandra.service.reads.DigestResolver;
import org.apache.cassandra.service.reads.NeverSpeculativeRetryPolicy;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.service.reads.SpeculativeRetryPolicy;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  private final Cassandra50CarriedArrivals arrivals =
      new Cassandra50CarriedArrivals(reads, live, host, counts, guard);
  private final Cassandra50Departures departures =
      new Cassandra50Departures(
          new Cassandra50Carrier(reads, copies, arrivals, null, live, host, counts, guard),
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
    return table("t", 2, retry);
  }

  private static TableMetadata.Builder table(String name, long id, SpeculativeRetryPolicy retry) {
    return TableMetadata.builder("k", name, TableId.fromUUID(new UUID(1, id)))
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
    SinglePartitionReadCommand prepared =
        read(table("changed", 4, NeverSpeculativeRetryPolicy.INSTANCE).build());
    assertThat(Cassandra50Departures.isRetried(prepared, NeverSpeculativeRetryPolicy.INSTANCE))
        .isTrue();
    Tables changed = Tables.of(table("changed", 4, AlwaysSpeculativeRetryPolicy.INSTANCE).build());
    KeyspaceMetadata keyspace = KeyspaceMetadata.create("k", KeyspaceParams.simple(3), changed);
    Schema.instance.transform(all -> all.withAddedOrUpdated(keyspace));
    assertThat(Cassandra50Departures.isRetried(prepared, AlwaysSpeculativeRetryPolicy.INSTANCE))
        .isTrue();
    assertThat(Cassandra50Departures.isRetried(prepared, NeverSpeculativeRetryPolicy.INSTANCE))
        .isFalse();
  }

  /** Of three replicas, where Cassandra asks one more than the level says. */
  @ParameterizedTest
  @CsvSource({"ONE, true", "TWO, false"})
  void should_read_its_own_data_also_of_a_table_whose_reads_may_not_leave(
      ConsistencyLevel level, boolean here) {
    live.set(
        Map.of("mode", "rank", "passing", "on", "copies_percent", "2", "passing_except", "k.t"));
    assertStaysHere(read(table(AlwaysSpeculativeRetryPolicy.INSTANCE).build()), level, here);
  }

  /**
   * Where this node has the whole index. Of two it may be one already: Cassandra prefers those that
   * have it to those that come first, and its own other read is no message.
   */
  @ParameterizedTest
  @CsvSource({
    "ONE, BUILD_SUCCEEDED, true",
    "ONE, FULL_REBUILD_STARTED, false",
    "TWO, BUILD_SUCCEEDED, false"
  })
  void should_read_its_own_data_by_an_index(
      ConsistencyLevel level, Index.Status status, boolean here) {
    live.set(Map.of("mode", "rank", "passing", "on", "copies_percent", "2"));
    Map<InetAddressAndPort, Map<String, Index.Status>> statuses =
        IndexStatusManager.instance.peerIndexStatus;
    statuses.put(host.self(), Map.of("k.t_index", status));
    try {
      assertStaysHere(
          ReadByIndex.of(read(table(NeverSpeculativeRetryPolicy.INSTANCE).build())), level, here);
    } finally {
      statuses.remove(host.self());
    }
  }

  /**
   * Cassandra looks again who is alive when they are in order: this node may then be asked, and an
   * answer of the one that died is an error to it.
   */
  @Test
  void should_not_stay_here_when_a_replica_has_died_since_they_were_put_in_order() {
    live.set(
        Map.of("mode", "rank", "passing", "on", "copies_percent", "2", "passing_except", "k.t"));
    SinglePartitionReadCommand command = read(table(NeverSpeculativeRetryPolicy.INSTANCE).build());
    host.dead.add(address(3));
    assertStaysHere(command, ConsistencyLevel.ONE, false);
    assertStaysHere(command, ConsistencyLevel.TWO, false);
    host.dead.clear();
    assertStaysHere(command, ConsistencyLevel.ONE, true);
    assertStaysHere(command, ConsistencyLevel.TWO, true);
  }

  /** Cassandra asks two and one more, which is all: this node would be asked for a digest. */
  @Test
  void should_tell_that_reads_are_not_kept_and_when_they_are_again() {
    live.set(
        Map.of("mode", "rank", "passing", "on", "copies_percent", "2", "passing_except", "k.t"));
    SinglePartitionReadCommand command = read(table(AlwaysSpeculativeRetryPolicy.INSTANCE).build());
    for (int i = 0; i < 8; i++) {
      assertStaysHere(command, ConsistencyLevel.TWO, false);
    }
    assertThat(reads.keepsOwn(host.now)).isFalse();
    for (int i = 0; i < 24; i++) {
      assertStaysHere(command, ConsistencyLevel.ONE, true);
    }
    assertThat(reads.keepsOwn(host.now)).isTrue();
  }

  /** Cassandra leaves out those that have not built the index, first in order or not. */
  @Test
  void should_tell_that_reads_are_not_kept_when_the_first_in_order_cannot_answer_them() {
    live.set(Map.of("mode", "rank", "passing", "on", "copies_percent", "2"));
    SinglePartitionReadCommand command =
        ReadByIndex.of(read(table(NeverSpeculativeRetryPolicy.INSTANCE).build()));
    for (int i = 0; i < 8; i++) {
      assertThat(reads.keepsOwn(host.now)).isEqualTo(i < 4);
      assertStaysHere(command, ConsistencyLevel.ONE, address(3), false);
    }
  }

  /** It is free, and what it takes is longer than the wait here: only copies go there. */
  @Test
  void should_let_a_read_wait_here_when_the_first_in_order_is_far_slower() {
    live.set(Map.of("mode", "rank", "passing", "on", "copies_percent", "2"));
    Peer self = live.policy().peers().of(host.self());
    for (int i = 0; i < 2; i++) {
      host.tables.get(0).read(1_000);
      host.now += 20_000_000;
      localReads.follow(self, host.now);
    }
    Peer slow = live.policy().peers().of(address(2));
    slow.reads.onSent(1, ReadKind.POINT, false, host.now - 900_000_000);
    slow.reads.onAnswered(1, ReadKind.POINT, new Feedback(0, 1, 32, 900_000_000), host.now);
    slow.takesCarriedReads = true;
    host.activeReads = host.slots;
    host.waitingReads = 5 * host.slots;

    SinglePartitionReadCommand command = read(table(NeverSpeculativeRetryPolicy.INSTANCE).build());
    assertServed(command, ConsistencyLevel.ONE, address(2), true);
    assertThat(counts.carried.sum()).isEqualTo(1);
    assertThat(counts.keptWaiting.sum()).isEqualTo(1);
    assertThat(counts.givenBack.sum()).isZero();
  }

  private void assertStaysHere(
      SinglePartitionReadCommand command, ConsistencyLevel level, boolean here) {
    assertStaysHere(command, level, address(2), here);
  }

  private void assertStaysHere(
      SinglePartitionReadCommand command,
      ConsistencyLevel level,
      InetAddressAndPort to,
      boolean here) {
    assertServed(command, level, to, here);
    assertThat(counts.carried.sum()).isZero();
  }

  /** A read that would be kept if it is sent to the second node, which is the first in order. */
  private void assertServed(
      SinglePartitionReadCommand command,
      ConsistencyLevel level,
      InetAddressAndPort to,
      boolean here) {
    Token token = command.partitionKey().getToken();
    Message<?> message =
        Message.builder(Verb.READ_REQ, command)
            .withExpiresAt(MonotonicClock.Global.preciseTime.now() + 60_000_000_000L)
            .from(host.self())
            .withId(81)
            .build();
    EndpointsForToken.Builder replicas = EndpointsForToken.builder(token);
    Peer[] order = new Peer[3];
    for (int i = 0; i < order.length; i++) {
      InetAddressAndPort replica = address(1 + (i + 1) % 3); // itself comes last
      order[i] = live.policy().peers().of(replica);
      replicas.add(Replica.fullReplica(replica, new Range<Token>(token, token)));
    }
    EndpointsForToken all = replicas.build();
    SharedForTokenRead plan = ReplicaPlan.shared(new ForTokenRead(null, null, level, all, all));
    RequestTime now = RequestTime.forImmediateExecution();
    ReadCallback<?, ?> callback =
        new ReadCallback<>(new DigestResolver<>(command, plan, now), command, plan, now);
    List<Message<?>> served = new CopyOnWriteArrayList<>();
    Predicate<Message<?>> serves =
        came -> {
          served.add(came);
          return false;
        };
    host.request = new Object();
    sorter.context().enter(host.request);
    sorter.context().plan(new PassingPlan(token, order, -1, true));

    RequestCallbacks callbacks = MessagingService.instance().callbacks;
    callbacks.addWithExpiration(callback, message, to);
    MessagingService.instance().inboundSink.add(serves);
    try {
      assertThat(departures.keepsHere(message, to)).isEqualTo(here);
      assertThat(callbacks.remove(message.id(), here ? host.self() : to)).isNotNull();
      assertThat(callbacks.remove(message.id(), here ? to : host.self())).isNull();
      if (here) {
        eventually(() -> assertThat(served).extracting(Message::id).contains(message.id()));
      }
      assertThat(guard.errors()).isZero();
    } finally {
      MessagingService.instance().inboundSink.remove(serves);
      callbacks.unsafeClear();
    }
  }
}
