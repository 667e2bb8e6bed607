/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a coordinator that reads its own data does to hear of its peers. */
class ProbingTest {
  private static final long MILLI = 1_000_000;
  private static final Object READ = "a read";

  private final FakeHost host = new FakeHost();
  private final SimpleSnitch topology = new SimpleSnitch();
  private final PluginParts parts =
      new PluginParts(
          Settings.defaults(), host, topology, new StockOrder(topology, snitch -> null));
  private final MeasuredTraffic traffic = parts.traffic;
  private final EndpointsForToken replicas = replicas(5, 1, 2);
  private long ids;

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  @BeforeEach
  void start() {
    parts.live.set(Map.of("mode", "rank", "refresh_percent", "10"));
    Peer self = parts.live.policy().peers().of(host.self());
    self.point.onSent();
    self.point.onResponse(MILLI, new Feedback(0, 0, 32, MILLI), host.now);
    host.request = new Object();
    host.readable.add(READ);
  }

  @Test
  void should_send_each_probe_a_read_that_was_just_answered() {
    answer(2, 4 * MILLI);
    for (int read = 0; read < 20_000; read++, host.now += 5 * MILLI) {
      String latest = "read " + read;
      host.readable.clear();
      host.readable.add(latest);
      host.request = new Object();
      EndpointsForToken unused = parts.planner.sorted(host.self(), replicas);
      traffic.onQueryAnswered(() -> List.of("of another node", latest));
    }
    assertThat(host.probed).hasSizeGreaterThan(10).containsOnly(address(2));
    assertThat(host.probes).doesNotHaveDuplicates();
    assertThat(parts.counts.probes.sum()).isEqualTo(host.probed.size());
    assertThat(parts.guard.errors()).isZero();
  }

  /** As one that fails, or of which Cassandra warns. */
  @Test
  void should_send_none_when_the_read_was_not_answered() {
    answer(2, 4 * MILLI);
    for (int read = 0; read < 5_000; read++) {
      host.request = new Object();
      EndpointsForToken unused = parts.planner.sorted(host.self(), replicas);
    }
    host.request = new Object();
    traffic.onQueryAnswered(() -> List.of(READ));
    assertThat(host.probed).isEmpty();
  }

  @Test
  void should_not_count_a_read_that_cannot_be_sent_again() {
    host.readable.clear();
    answer(2, 4 * MILLI);
    readOwnData();
    assertThat(host.probed).isEmpty();
    assertThat(parts.counts.probes.sum()).isZero();
    assertThat(peer(2).counts.probes.sum()).isZero();
  }

  @Test
  void should_count_an_exception_on_the_thread_that_sends() {
    host.sendingFails = true;
    answer(2, 4 * MILLI);
    readOwnData();
    assertThat(parts.guard.errors()).isPositive().isEqualTo(host.probed.size());
  }

  @Test
  void should_probe_only_for_reads_of_requests() {
    answer(2, 4 * MILLI);
    for (int read = 0; read < 5_000; read++) {
      host.request = null;
      EndpointsForToken unused = parts.planner.sorted(host.self(), replicas);
      traffic.onQueryAnswered(() -> List.of(READ));
    }
    assertThat(host.probed).isEmpty();
  }

  @Test
  void should_ask_more_often_when_its_own_reads_are_slower_than_usual() {
    answer(2, 400 * MILLI);
    Peer self = parts.live.policy().peers().of(host.self());
    host.tables.get(0).read(1);
    parts.localReads.follow(self, host.now);
    sampleReads(self, 1_000, MILLI / 1000);
    assertThat(parts.localReads.areSlow()).isFalse();
    readOwnData();
    int usually = host.probed.size();
    sampleReads(self, 100, 20 * MILLI / 1000);
    assertThat(parts.localReads.areSlow()).isTrue();
    readOwnData();
    assertThat(host.probed.size() - usually).isGreaterThan(usually * 3 / 2);
  }

  /** Answers that vary are no reason to copy reads. */
  @Test
  void should_ask_a_peer_that_is_heard_no_more_often_when_its_answers_get_late() {
    parts.live.set(Map.of("refresh_percent", "10"));
    for (int late = 0; late < 100; late++) {
      answer(2, MILLI / 2);
      answer(2, 30 * MILLI);
      readOwnDataFor(100 * MILLI);
    }
    assertThat(host.probed).isEmpty();
  }

  /** A query of many keys puts the replicas of all of them in order before it sends a read. */
  @Test
  void should_probe_with_a_read_that_the_peer_can_serve_when_a_request_has_others() {
    for (int node = 2; node <= 5; node++) {
      answer(node, node % 2 == 0 ? MILLI : 100 * MILLI);
    }
    host.now += 60_000 * MILLI;
    host.readable.add("another read");
    host.serves = (read, replica) -> read.equals(READ) == replica.equals(address(3));
    host.request = new Object();
    orderOften(5, 2, 3);
    orderOften(6, 4, 5);
    send(4, "another read");
    assertThat(host.probed).isEmpty();
    send(2, READ);
    assertThat(host.probed).containsExactly(address(3));
    send(2, READ);
    assertThat(host.probed).hasSize(1);

    host.request = new Object();
    orderOften(6, 4, 5);
    send(4, "another read");
    assertThat(host.probed).as("its turn was not spent").containsExactly(address(3), address(5));
  }

  /** Until one of the reads is to probe, in all likelihood. */
  private void orderOften(long token, int first, int second) {
    for (int i = 0; i < 300; i++) {
      EndpointsForToken order = parts.planner.sorted(host.self(), replicas(token, first, second));
      assertThat(order.get(0).endpoint()).isEqualTo(address(first));
    }
  }

  private void send(int node, Object read) {
    traffic.onReadSent(address(node), ++ids, ReadKind.POINT, read);
  }

  @Test
  void should_ask_nobody_without_probes() {
    parts.live.set(Map.of("refresh_percent", "0"));
    answer(2, 4 * MILLI);
    readOwnData();
    assertThat(host.probed).isEmpty();
  }

  private void sampleReads(Peer self, int reads, long micros) {
    for (int read = 0; read < reads; read++) {
      host.now += 10 * MILLI;
      host.tables.get(0).read(micros);
      parts.localReads.refresh(self, host.now);
    }
  }

  private Peer peer(int node) {
    return parts.live.policy().peers().of(address(node));
  }

  private void answer(int node, long nanos) {
    long id = ++ids;
    traffic.onReadSent(address(node), id, ReadKind.POINT, READ);
    host.now += nanos;
    byte[] feedback = FeedbackCodec.encode(new Feedback(0, 0, 32, MILLI));
    traffic.onReadAnswered(address(node), id, ReadKind.POINT, feedback);
  }

  private void readOwnData() {
    readOwnDataFor(20_000 * MILLI);
  }

  private void readOwnDataFor(long nanos) {
    for (long end = host.now + nanos; host.now < end; host.now += 5 * MILLI) {
      host.request = new Object();
      EndpointsForToken order = parts.planner.sorted(host.self(), replicas);
      assertThat(order.get(0).endpoint()).isEqualTo(host.self());
      traffic.onQueryAnswered(() -> List.of(READ));
    }
  }

  private static EndpointsForToken replicas(long token, int... nodes) {
    Range<Token> range = new Range<>(new LongToken(0), new LongToken(10));
    EndpointsForToken.Builder replicas = EndpointsForToken.builder(new LongToken(token));
    for (int node : nodes) {
      replicas.add(Replica.fullReplica(address(node), range));
    }
    return replicas.build();
  }
}
