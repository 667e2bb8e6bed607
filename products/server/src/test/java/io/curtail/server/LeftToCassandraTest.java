/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.CounterColumnType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaPlan;
import org.apache.cassandra.locator.ReplicaPlan.ForTokenRead;
import org.apache.cassandra.locator.ReplicaPlan.SharedForTokenRead;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.reads.DataResolver;
import org.apache.cassandra.service.reads.DigestResolver;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.service.reads.repair.NoopReadRepair;
import org.apache.cassandra.service.reads.repair.ReadRepair;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which reads leave as on a stock node, through all that decides it; but for one all take others.
 */
class LeftToCassandraTest extends CoordinatorParts {
  private static final InetAddressAndPort FIRST = address(2);

  private final ReplicaSorter sorter = new ReplicaSorter(host, localReads);
  private final Cassandra50Departures departures =
      new Cassandra50Departures(
          new Cassandra50Carrier(reads, copies, null, null, live, host, parts.counts, guard),
          reads,
          copies,
          live,
          host,
          ThreadLocal.withInitial(() -> sorter),
          parts.counts);
  private final List<Message<?>> sent = new CopyOnWriteArrayList<>();
  private boolean sendingFails;
  private final BiPredicate<Message<?>, InetAddressAndPort> nothingLeaves = this::leaves;

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
    DatabaseDescriptor.setEndpointSnitch(new SimpleSnitch());
  }

  @BeforeEach
  void pass() {
    host.now = MonotonicClock.Global.preciseTime.now();
    host.request = new Object();
    live.set(Map.of("mode", "rank", "passing", "on", "policy", "random"));
    MessagingService.instance().outboundSink.add(nothingLeaves);
  }

  @AfterEach
  void forget() {
    MessagingService.instance().outboundSink.remove(nothingLeaves);
    MessagingService.instance().callbacks.unsafeClear();
    assertThat(guard.errors()).isZero();
  }

  private boolean leaves(Message<?> message, InetAddressAndPort to) {
    if (sendingFails) {
      throw new IllegalStateException("sabotage");
    }
    sent.add(message);
    return false;
  }

  private static TableMetadata.Builder table() {
    return TableMetadata.builder("k", "t", TableId.fromUUID(new UUID(1, 5)))
        .partitioner(Murmur3Partitioner.instance)
        .addPartitionKeyColumn("id", Int32Type.instance);
  }

  private static SinglePartitionReadCommand read(TableMetadata table) {
    return SinglePartitionReadCommand.fullPartitionRead(
        table, 0, table.partitioner.decorateKey(Int32Type.instance.decompose(7)));
  }

  private static EndpointsForToken replicas(Token token, int... nodes) {
    EndpointsForToken.Builder replicas = EndpointsForToken.builder(token);
    for (int node : nodes) {
      replicas.add(Replica.fullReplica(address(node), new Range<>(token, token)));
    }
    return replicas.build();
  }

  /** Puts the replicas in order as for a read that a client asked for. */
  private EndpointsForToken order(Token token, int... nodes) {
    EndpointsForToken near = replicas(token, nodes);
    for (int node : nodes) {
      live.policy().peers().of(address(node)).takesCarriedReads = true;
    }
    sorter.context().enter(host.request);
    sorter.rank(live.policy(), near, ReadKind.POINT, host.now);
    assertThat(sorter.place()).isTrue();
    Peer first = live.policy().peers().of(FIRST);
    sorter.moveToFront(first);
    assertThat(reads.onOrdered(sorter, first, near, host.now)).isSameAs(first);
    return sorter.sorted(near);
  }

  private static Message<?> message(ReadCommand command) {
    return Message.builder(Verb.READ_REQ, command)
        .withExpiresAt(MonotonicClock.Global.preciseTime.now() + 60_000_000_000L)
        .from(address(1))
        .withId(91)
        .build();
  }

  private static ReadCallback<?, ?> firstRound(
      SinglePartitionReadCommand command, SharedForTokenRead plan) {
    RequestTime now = RequestTime.forImmediateExecution();
    return new ReadCallback<>(new DigestResolver<>(command, plan, now), command, plan, now);
  }

  private boolean carries(ReadCommand command, ReadCallback<?, ?> callback) {
    Message<?> message = message(command);
    MessagingService.instance().callbacks.addWithExpiration(callback, message, FIRST);
    boolean carried = departures.carries(message, FIRST);
    assertThat(sent).hasSize(carried ? 1 : 0);
    assertThat(parts.counts.carried.sum()).isEqualTo(carried ? 1 : 0);
    assertThat(MessagingService.instance().callbacks.remove(91, FIRST).callback).isSameAs(callback);
    return carried;
  }

  private boolean carriesAtOne(SinglePartitionReadCommand asked, ReadCommand sends) {
    EndpointsForToken order = order(asked.partitionKey().getToken(), 2, 3, 4);
    return carries(sends, firstRound(asked, plan(ConsistencyLevel.ONE, null, order)));
  }

  private static SharedForTokenRead plan(
      ConsistencyLevel level, NetworkTopologyStrategy strategy, EndpointsForToken order) {
    return ReplicaPlan.shared(new ForTokenRead(null, strategy, level, order, order));
  }

  @Test
  void should_carry_the_read_of_the_data_and_not_its_digest() {
    SinglePartitionReadCommand data = read(table().build());
    Replica first = replicas(data.partitionKey().getToken(), 2).get(0);
    assertThat(carriesAtOne(data, data.copyAsDigestQuery(first))).isFalse();
    assertThat(carriesAtOne(data, data)).isTrue();
  }

  @Test
  void should_not_carry_a_read_of_counters() {
    SinglePartitionReadCommand counters =
        read(table().isCounter(true).addRegularColumn("count", CounterColumnType.instance).build());
    assertThat(carriesAtOne(counters, counters)).isFalse();
  }

  /** It has a partition's token nowhere: it takes the plan of none. */
  @Test
  void should_not_carry_a_range_read() {
    SinglePartitionReadCommand point = read(table().build());
    assertThat(carriesAtOne(point, PartitionRangeReadCommand.allDataRead(table().build(), 0)))
        .isFalse();
  }

  @Test
  void should_not_carry_a_read_of_a_transaction() {
    SinglePartitionReadCommand data = read(table().build());
    departures.onPaxos();
    assertThat(carriesAtOne(data, data)).isFalse();
    host.request = new Object();
    assertThat(carriesAtOne(data, data)).isTrue();
  }

  @Test
  void should_forget_a_read_that_goes_as_a_plain_one_when_sending_it_fails() {
    SinglePartitionReadCommand data = read(table().build());
    sendingFails = true;
    assertThatThrownBy(() -> carriesAtOne(data, data)).isInstanceOf(IllegalStateException.class);
    assertThat(reads.at(FIRST, 91)).isNull();
    CarriedRead plain = sorter.context().carriedOf(data.partitionKey().getToken());
    assertThat(plain.isDue()).isFalse();
    assertThat(MessagingService.instance().callbacks.remove(91, FIRST)).isNotNull();
  }

  /** Another version of the jar is there, or passing is off. */
  @Test
  void should_count_a_read_that_leaves_plain_when_its_replica_takes_no_others() {
    SinglePartitionReadCommand data = read(table().build());
    EndpointsForToken order = order(data.partitionKey().getToken(), 2, 3, 4);
    live.policy().peers().of(FIRST).takesCarriedReads = false;
    assertThat(carries(data, firstRound(data, plan(ConsistencyLevel.ONE, null, order)))).isFalse();
    assertThat(parts.counts.sentPlain.sum()).isEqualTo(1);
    assertThat(carriesAtOne(data, data)).isTrue();
    assertThat(parts.counts.sentPlain.sum()).isEqualTo(1);
  }

  /** Whoever is asked in the second round is asked for a reason. */
  @Test
  void should_not_carry_a_read_that_repairs() {
    SinglePartitionReadCommand data = read(table().build());
    EndpointsForToken order = order(data.partitionKey().getToken(), 2, 3, 4);
    SharedForTokenRead plan = plan(ConsistencyLevel.ONE, null, order);
    RequestTime now = RequestTime.forImmediateExecution();
    @SuppressWarnings("unchecked") // it repairs what it is given
    ReadRepair<EndpointsForToken, ForTokenRead> none = NoopReadRepair.instance;
    DataResolver<EndpointsForToken, ForTokenRead> second =
        new DataResolver<>(data, plan, none, now);
    assertThat(carries(data, new ReadCallback<>(second, data, plan, now))).isFalse();
  }

  /**
   * Of all data centres a quorum is asked. The read may go to a replica of this one that is behind
   * as many as all of them, so never to one that was asked.
   */
  @ParameterizedTest
  @CsvSource({"3, 0, 3", "3, 3, 0", "5, 3, 0", "7, 3, 7"})
  void should_carry_a_read_of_each_quorum_only_to_those_that_are_not_asked(
      int here, int elsewhere, int last) {
    SinglePartitionReadCommand data = read(table().build());
    int[] nodes = new int[here];
    for (int i = 0; i < here; i++) {
      nodes[i] = 2 + i;
    }
    EndpointsForToken order = order(data.partitionKey().getToken(), nodes);
    SharedForTokenRead plan = plan(ConsistencyLevel.EACH_QUORUM, strategy(here, elsewhere), order);
    ReadCallback<?, ?> callback = firstRound(data, plan);
    assertThat(callback.blockFor())
        .isEqualTo(here / 2 + 1 + (elsewhere == 0 ? 0 : elsewhere / 2 + 1));
    assertThat(carries(data, callback)).isEqualTo(last > 0);
    if (last > 0) {
      assertThat(route()).containsExactly(FIRST, order.get(last - 1).endpoint());
    }
  }

  /** Cassandra takes an answer of any data centre for one of those that it waits for. */
  @Test
  void should_not_copy_a_read_of_each_quorum_when_a_copy_could_count_as_one_of_elsewhere() {
    live.set(Map.of("copies_percent", "2"));
    assertThat(copiesItself(7, 3)).isFalse();
  }

  @Test
  void should_copy_a_read_of_each_quorum_when_there_is_one_data_centre() {
    live.set(Map.of("copies_percent", "2"));
    assertThat(copiesItself(3, 0)).isTrue();
  }

  private boolean copiesItself(int here, int elsewhere) {
    SinglePartitionReadCommand data = read(table().build());
    int[] nodes = IntStream.range(2, 2 + here).toArray();
    EndpointsForToken order = order(data.partitionKey().getToken(), nodes);
    host.replication = strategy(here, elsewhere);
    SharedForTokenRead plan = plan(ConsistencyLevel.EACH_QUORUM, host.replication, order);
    assertThat(carries(data, firstRound(data, plan))).isTrue();
    return sorter.context().carriedOf(data.partitionKey().getToken()).hasOwnCopies();
  }

  private static NetworkTopologyStrategy strategy(int here, int elsewhere) {
    return new NetworkTopologyStrategy(
        "k",
        new TokenMetadata(),
        new SimpleSnitch(),
        elsewhere == 0
            ? Map.of("datacenter1", "" + here)
            : Map.of("datacenter1", "" + here, "elsewhere", "" + elsewhere));
  }

  private List<Object> route() {
    CarrierCodec.Arrival arrival =
        CarrierCodec.decode(
            Cassandra50CarriedMessages.parameter(sent.get(0), Cassandra50CarriedMessages.READ));
    List<Object> replicas = new ArrayList<>();
    for (int i = 0; i < arrival.route.size(); i++) {
      replicas.add(arrival.route.replica(i));
    }
    return replicas;
  }
}
