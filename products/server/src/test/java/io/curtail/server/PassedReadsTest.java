/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.passing.Route;
import java.util.Map;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of a coordinator's own data, which it has ordered to be its own. */
class PassedReadsTest {
  private static final Token TOKEN = new LongToken(5);
  private static final long SERVICE_MICROS = 100_000;
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** All threads are busy: the wait for one of 32 is not worth a message. */
  private static final int BUSY = 32;

  private final FakeHost host = new FakeHost();
  private final Counts counts = new Counts();
  private final LiveSettings live = new LiveSettings(Settings.defaults(), host, counts, mode -> {});
  private final LocalReads localReads = new LocalReads(host);
  private final SecondCopies copies =
      new SecondCopies(live, counts, new Guard(host::nanoTime, live::switchPassingOff));
  private final PassedReads reads = new PassedReads(live, host, localReads, copies, counts);
  private final ReplicaSorter sorter = new ReplicaSorter(host, localReads);

  @ParameterizedTest
  @ValueSource(ints = {0, BUSY})
  void should_carry_an_own_read_that_stays_also_one_that_waits_when_slow_reads_get_copies(
      int activeReads) {
    PassingPlan plan = planOfOwnRead("2", activeReads);
    // Or Cassandra would send second copies of it, which know no budget.
    assertThat(plan).isNotNull();
    assertThat(plan.startsHere).isTrue();
    assertThat(plan.order).extracting(peer -> peer.self).containsExactly(false, false, true);
  }

  /** At a level that asks all, whoever comes first reads the data, and this node its digest. */
  @Test
  void should_order_itself_first_while_most_own_reads_are_not_kept() {
    for (int i = 0; i < 8; i++) {
      assertThat(planOfOwnRead("2", 0)).isNotNull();
      reads.onOwnSent(i > 0); // one in eight is not many
    }
    for (int i = 0; i < 8; i++) {
      reads.onOwnSent(false);
    }
    assertThat(planOfOwnRead("2", 0)).isNull();
    assertThat(sorter.order()[0].self).isTrue();

    host.now += 2_000_000_000L;
    assertThat(planOfOwnRead("2", 0)).isNotNull();
    reads.onOwnSent(false);
    assertThat(planOfOwnRead("2", 0)).as("that one was none, either").isNull();

    host.now += 2_000_000_000L;
    for (int i = 0; i < 24; i++) {
      assertThat(planOfOwnRead("2", 0)).isNotNull();
      reads.onOwnSent(true);
    }
    reads.onOwnSent(false);
    assertThat(planOfOwnRead("2", 0)).as("that was an exception").isNotNull();
  }

  @Test
  void should_leave_an_own_read_that_stays_to_cassandra_when_there_are_no_copies() {
    assertThat(planOfOwnRead("0", 0)).isNull();
    assertThat(planOfOwnRead("0", BUSY)).isNull();
  }

  @Test
  void should_send_an_own_read_away_when_another_has_room() {
    host.waitingReads = 320;
    order(2);
    assertThat(sendAway(2).endpoint).isEqualTo(address(2));
  }

  @Test
  void should_keep_an_own_read_when_the_only_other_replica_is_silent() {
    host.waitingReads = 320;
    silent(address(2));
    order(2);
    assertThat(sendAway(2).self).isTrue();
    assertThat(counts.sentAway.sum()).isZero();
  }

  /** What it would find there is known, so it costs no message to find out. */
  @Test
  void should_keep_an_own_read_when_the_other_replicas_are_known_to_be_as_busy() {
    host.waitingReads = 320;
    order(3);
    queue(address(2), 300);
    queue(address(3), 300);
    order(3);
    assertThat(sendAway(3).self).isTrue();
    queue(address(3), 0);
    assertThat(sendAway(3).self).as("one may be free").isFalse();
  }

  @Test
  void should_tell_a_read_that_leaves_of_the_queues_of_all_its_replicas_or_of_none() {
    order(3);
    queue(address(2), 300);
    queue(address(3), 100);
    Peer[] order = {live.policy().peers().of(address(2)), live.policy().peers().of(address(3))};
    Route route = PassedReads.route(new PassingPlan(TOKEN, order, -1, false), 1, host.now);
    assertThat(route.knows(0)).as("it goes there, and asks").isFalse();
    assertThat(route.expectedNanos(1)).isEqualTo(SERVICE_MICROS * 1e3 * (1 + 101 / 32.0));
    queue(address(2), 0);
    route = PassedReads.route(new PassingPlan(TOKEN, order, -1, false), 1, host.now);
    assertThat(route.knows(1)).isFalse();
  }

  @Test
  void should_tell_a_read_that_begins_here_of_the_others_not_of_this_node() {
    order(3);
    queue(host.self(), 300);
    queue(address(2), 300);
    queue(address(3), 300);
    Peer[] order = new Peer[3];
    for (int place = 0; place < 3; place++) {
      order[place] = live.policy().peers().of(address(place == 2 ? 1 : place + 2));
    }
    Route route = PassedReads.route(new PassingPlan(TOKEN, order, -1, true), 1, host.now);
    assertThat(route.replica(2)).isEqualTo(host.self());
    assertThat(route.knows(0)).isTrue();
    assertThat(route.knows(1)).isTrue();
    assertThat(route.knows(2)).isFalse();
  }

  /** It counts reads that meet a queue, whatever is known of the others. */
  @Test
  void should_count_an_own_read_that_would_wait_though_the_others_are_as_busy() {
    host.waitingReads = 320;
    order(3);
    queue(address(2), 300);
    queue(address(3), 300);
    order(3);
    live.set(Map.of("passing", "observe"));
    assertThat(sendAway(3).self).isTrue();
    assertThat(counts.wouldPass.sum()).isEqualTo(1);
  }

  private void queue(InetAddressAndPort endpoint, int waiting) {
    host.now += 100_000_000;
    Feedback feedback = new Feedback(waiting, 32, 32, SERVICE_MICROS * 1_000);
    live.policy().peers().of(endpoint).point.onFeedback(feedback, host.now);
  }

  /** It is free, and what it takes is longer than the wait. */
  @Test
  void should_keep_an_own_read_when_the_only_other_replica_is_far_slower() {
    host.waitingReads = 320;
    answers(address(2), 10_000_000_000L);
    order(2);
    assertThat(sendAway(2).self).isTrue();
    assertThat(counts.sentAway.sum()).isZero();
  }

  /** It fails at once, so it is always free. */
  @Test
  void should_send_no_read_to_a_replica_that_fails_when_another_is_busy() {
    host.waitingReads = 320;
    answers(address(2), 1_000);
    Peer failing = live.policy().peers().of(address(2));
    order(2);
    failing.reads.onSent(2, ReadKind.POINT, false, host.now);
    failing.reads.onFailed(2, FailureCause.REPLICA, MINUTE_NANOS, MINUTE_NANOS, host.now);
    assertThat(sendAway(2).self).isTrue();
    assertThat(counts.sentAway.sum()).isZero();

    answers(address(3), 1_000);
    Peer[] order = {live.policy().peers().of(address(3)), failing};
    assertThat(PassedReads.route(new PassingPlan(TOKEN, order, -1, false), 1, host.now)).isNull();
    long later = host.now + MINUTE_NANOS;
    assertThat(PassedReads.route(new PassingPlan(TOKEN, order, -1, false), 1, later)).isNotNull();
  }

  @Test
  void should_leave_this_node_in_the_route_of_a_read_that_begins_here_though_it_is_far_slower() {
    order(2);
    Peer self = live.policy().peers().of(host.self());
    Peer other = live.policy().peers().of(address(2));
    self.point.onFeedback(new Feedback(0, 1, 32, 9_000_000_000L), host.now + 1_000_000_000_000L);
    other.point.onFeedback(new Feedback(0, 1, 32, 1_000_000), host.now);
    assertThat(self.point.isFarSlowerThan(other.point, host.now)).isTrue();
    Peer[] order = {other, self};
    assertThat(PassedReads.route(new PassingPlan(TOKEN, order, -1, false), 1, host.now)).isNull();
    Route begun = PassedReads.route(new PassingPlan(TOKEN, order, -1, true), 1, host.now);
    assertThat(begun.placeOf(host.self())).isEqualTo(1);
    Route sentAway = PassedReads.route(new PassingPlan(TOKEN, order, 5, false), 1, host.now);
    assertThat(sentAway.hops()).isEqualTo(1);
  }

  /** They never tell how long their reads wait, so they would be taken to be idle for ever. */
  @Test
  void should_keep_an_own_read_when_the_only_other_replica_takes_no_reads_that_are_passed_on() {
    host.waitingReads = 320;
    order(2);
    Peer other = live.policy().peers().of(address(2));
    other.takesCarriedReads = false;
    other.point.onFeedback(new Feedback(9_000, 32, 32, 100_000_000), host.now);
    assertThat(sendAway(2).self).isTrue();
    assertThat(counts.sentAway.sum()).isZero();
  }

  @Test
  void should_let_nothing_go_from_here_to_one_that_takes_no_reads_that_are_passed_on() {
    live.set(Map.of("copies_percent", "2"));
    order(3);
    for (int node = 2; node <= 3; node++) {
      live.policy().peers().of(address(node)).takesCarriedReads = false;
    }
    assertThat(sendAway(3).self).isTrue();
    assertThat(sorter.context().hasPassing()).isFalse();
    PassingPlan plan =
        new PassingPlan(
            TOKEN,
            new Peer[] {
              live.policy().peers().of(address(2)),
              live.policy().peers().of(address(3)),
              live.policy().peers().of(host.self())
            },
            -1,
            false);
    Route route = PassedReads.route(plan, 1, host.now);
    assertThat(route.size()).isEqualTo(2);
    assertThat(route.placeOf(address(3))).isNegative();
  }

  private Peer sendAway(int replicas) {
    Peer self = live.policy().peers().of(host.self());
    return reads.onOrdered(sorter, self, replicas(replicas), host.now);
  }

  /** Owes an answer that it usually gives at once. */
  private void silent(InetAddressAndPort endpoint) {
    answers(endpoint, 1_000);
    live.policy().peers().of(endpoint).reads.onSent(2, ReadKind.POINT, false, host.now);
  }

  private void answers(InetAddressAndPort endpoint, long afterNanos) {
    live.set(Map.of("mode", "rank", "passing", "on"));
    Peer peer = live.policy().peers().of(endpoint);
    peer.reads.onSent(1, ReadKind.POINT, false, host.now - afterNanos);
    peer.reads.onAnswered(1, ReadKind.POINT, new Feedback(0, 1, 32, afterNanos), host.now);
  }

  private PassingPlan planOfOwnRead(String copiesPercent, int activeReads) {
    live.set(Map.of("copies_percent", copiesPercent));
    host.activeReads = activeReads;
    order(3);
    assertThat(sendAway(3).self).isTrue();
    return sorter.context().plan(TOKEN, sorter.order()[0]);
  }

  /** Brings this node's own reads to what they take, and ranks. */
  private void order(int replicas) {
    live.set(Map.of("mode", "rank", "passing", "on"));
    ActivePolicy policy = live.policy();
    for (int node = 2; node <= replicas; node++) {
      policy.peers().of(address(node)).takesCarriedReads = true;
    }
    Peer self = policy.peers().of(host.self());
    host.tables.get(0).read(SERVICE_MICROS);
    localReads.follow(self, host.now);
    host.tables.get(0).read(SERVICE_MICROS);
    host.now += 20_000_000;
    localReads.follow(self, host.now);
    sorter.context().enter(new Object());
    sorter.rank(policy, replicas(replicas), ReadKind.POINT, host.now);
    sorter.place();
    sorter.moveToFront(self);
  }

  private static EndpointsForToken replicas(int count) {
    Range<Token> range = new Range<>(new LongToken(0), new LongToken(10));
    EndpointsForToken.Builder builder = EndpointsForToken.builder(TOKEN);
    for (int node = 1; node <= count; node++) {
      builder.add(Replica.fullReplica(address(node), range));
    }
    return builder.build();
  }
}
