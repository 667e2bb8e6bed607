/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of the plain reads that a node serves it counts as ones that it would pass on. */
class ObservedPassingTest extends CoordinatorParts {
  private static final long MILLI = 1_000_000;
  private final Cassandra50Messages messages =
      new Cassandra50Messages(parts.traffic, guard, null, null, null, reads, guard);

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  /** Reads of this node take 4 ms, and it has four threads for them. */
  @BeforeEach
  void observe() {
    live.set(Map.of("mode", "rank", "passing", "observe", "passing_hop_ms", "0.5"));
    host.slots = 4;
    host.activeReads = 1;
    host.tables.get(0).read(4_000);
    localReads.follow(live.policy().peers().of(host.self()), host.now);
    host.tables.get(0).read(4_000);
    host.now += 20 * MILLI;
    MessagingService.instance().inboundSink.add(message -> false); // nothing reads
    messages.observe();
  }

  @AfterEach
  void forget() {
    MessagingService.instance().inboundSink.clear();
    MessagingService.instance().outboundSink.clear();
  }

  private void serve() {
    Message<?> read =
        Message.builder(Verb.READ_REQ, (Object) NoPayload.noPayload)
            .withCreatedAt(MonotonicClock.Global.approxTime.now() - 5 * MILLI)
            .from(address(2))
            .withId(7)
            .build();
    MessagingService.instance().inboundSink.accept(read);
    assertThat(guard.errors()).isZero();
  }

  /** Messages carry the time of their request's start, by the clock of their coordinator. */
  @Test
  void should_not_count_a_read_for_its_age_when_nothing_waits_here() {
    serve();
    host.activeReads = 4;
    serve();
    assertThat(parts.counts.wouldPass.sum()).isZero();
  }

  @Test
  void should_count_a_read_when_those_behind_it_wait_for_two_hops() {
    host.activeReads = 4;
    host.waitingReads = 1;
    serve();
    assertThat(parts.counts.wouldPass.sum()).isEqualTo(1);
    live.set(Map.of("passing_hop_ms", "5"));
    serve();
    assertThat(parts.counts.wouldPass.sum()).isEqualTo(1);
  }

  /** Curtail would ask the other first, which owes it an answer; Cassandra asks this node. */
  @Test
  void should_decide_where_the_read_goes_and_not_where_it_would_go_in_mode_observe() {
    live.set(Map.of("mode", "observe", "badness_threshold", "0"));
    host.request = new Object();
    host.activeReads = 4;
    host.waitingReads = 8;
    followOwnReads();
    Peer other = live.policy().peers().of(address(2));
    answer(other, 1, 1_000);
    other.reads.onSent(2, ReadKind.POINT, false, host.now);
    host.now += MILLI;
    order();
    assertThat(other.point.isOverdue(host.now)).isTrue();
    assertThat(parts.counts.observedElsewhere.sum()).isEqualTo(1);
    assertThat(parts.counts.wouldPass.sum()).isZero();

    answer(other, 3, 1_000);
    order();
    assertThat(parts.counts.wouldPass.sum()).isEqualTo(1);
    assertThat(parts.guard.errors()).isZero();
  }

  private void followOwnReads() {
    Peer self = live.policy().peers().of(host.self());
    parts.localReads.follow(self, host.now);
    host.tables.get(0).read(4_000);
    host.now += 20 * MILLI;
    parts.localReads.follow(self, host.now);
  }

  private void answer(Peer peer, long id, long afterNanos) {
    peer.reads.onSent(id, ReadKind.POINT, false, host.now - afterNanos);
    peer.reads.onAnswered(id, ReadKind.POINT, new Feedback(0, 1, 4, afterNanos), host.now);
  }

  private void order() {
    Token token = new LongToken(5);
    Range<Token> range = new Range<>(token, token);
    EndpointsForToken replicas =
        EndpointsForToken.of(
            token, Replica.fullReplica(host.self(), range), Replica.fullReplica(address(2), range));
    assertThat(parts.planner.sorted(host.self(), replicas).get(0).endpoint())
        .isEqualTo(host.self());
  }
}
