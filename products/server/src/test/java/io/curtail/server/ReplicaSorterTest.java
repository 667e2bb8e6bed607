/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.SimpleSnitch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaSorterTest {
  private static final long MILLI = 1_000_000;
  private final FakeHost host = new FakeHost();
  private final ActivePolicy policy = new ActivePolicy(Settings.defaults(), host);
  private final ReplicaSorter sorter = new ReplicaSorter(host, new LocalReads(host));

  @Test
  void should_put_the_faster_replica_first() {
    answers(2, 10);
    answers(3, 1);
    answers(4, 5);
    assertThat(sorted(2, 3, 4)).containsExactly(3, 4, 2);
  }

  @Test
  void should_see_a_difference_below_a_millisecond() {
    Peer slower = policy.peers().of(address(2));
    Peer faster = policy.peers().of(address(3));
    for (int i = 0; i < 10; i++) {
      respond(slower, 1_900_000);
      respond(faster, 1_100_000);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(sorted(2, 3)).containsExactly(3, 2);
    }
  }

  @Test
  void should_stay_near_unless_that_is_much_worse() {
    host.otherRack.add(address(2));
    host.otherRack.add(address(4));
    answers(2, 10);
    answers(3, 12);
    answers(4, 30);
    for (int i = 0; i < 20; i++) {
      assertThat(sorted(2, 3, 4)).containsExactly(3, 2, 4);
      assertThat(sorter.keptNear()).isTrue();
      assertThat(sorted(2, 4)).containsExactly(2, 4);
    }
    for (int i = 0; i < 10; i++) {
      answers(3, 40);
    }
    assertThat(sorted(2, 3, 4).get(0)).isEqualTo(2);
    assertThat(sorter.keptNear()).isFalse();
    policy.update(Settings.defaults().with(Map.of("badness_threshold", "100")), host, true);
    assertThat(sorted(2, 3, 4).get(0)).isEqualTo(3);
  }

  @Test
  void should_leave_a_self_whose_range_reads_are_slow() {
    Peer self = policy.peers().of(host.self());
    answers(2, 1);
    self.point.onSent();
    self.point.onResponse(MILLI, new Feedback(0, 0, 32, MILLI / 2), host.now);
    answersRange(2, 10);
    self.load(ReadKind.RANGE).onSent();
    self.load(ReadKind.RANGE).onResponse(900 * MILLI, new Feedback(0, 0, 32, MILLI), host.now);
    sorter.rank(policy, replicas(1, 2), ReadKind.RANGE, host.now);
    assertThat(sorter.ranked(0).self).isFalse();
    sorter.rank(policy, replicas(1, 2), ReadKind.POINT, host.now);
    assertThat(sorter.ranked(0).self).isTrue();
  }

  @Test
  void should_take_what_range_reads_met_for_point_reads_when_there_were_none() {
    answersRange(2, 900);
    answersRange(3, 10);
    assertThat(sorted(2, 3)).containsExactly(3, 2);
  }

  private void answersRange(int node, long millis) {
    Peer peer = policy.peers().of(address(node));
    peer.reads.onSent(host.now, ReadKind.RANGE, false, host.now);
    Feedback feedback = new Feedback(0, 0, 32, millis * MILLI / 2);
    peer.reads.onAnswered(host.now, ReadKind.RANGE, feedback, host.now + millis * MILLI);
    host.now += millis * MILLI;
  }

  @Test
  void should_leave_the_order_to_a_policy_without_scores() {
    ActivePolicy random =
        new ActivePolicy(Settings.defaults().with(Map.of("policy", "random")), host);
    host.otherRack.add(address(2));
    Set<Integer> first = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      sorter.rank(random, replicas(2, 3), ReadKind.POINT, host.now);
      first.add((int) sorter.ranked(0).endpoint.getAddress().getAddress()[3]);
    }
    assertThat(first).containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void should_keep_another_data_centre_behind_and_the_dead_last() {
    for (int node = 2; node <= 7; node++) {
      answers(node, 10 - node);
    }
    host.remote.add(address(6));
    host.remote.add(address(7));
    host.dead.add(address(4));
    policy.update(Settings.defaults(), host, true);
    assertThat(sorted(7, 6, 4, 2, 3)).containsExactly(3, 2, 7, 6, 4);
    host.dead.add(address(2));
    host.dead.add(address(7));
    assertThat(sorted(7, 6, 4, 2, 3)).containsExactly(3, 6, 7, 4, 2);
  }

  @Test
  void should_count_what_the_same_request_has_picked() {
    for (int node = 2; node <= 4; node++) {
      answers(node, 1);
    }
    host.request = new Object();
    sorter.context().enter(host.request);
    int[] picked = new int[5];
    for (int key = 0; key < 30; key++) {
      sorter.context().enter(host.request);
      sorter.rank(policy, replicas(2, 3, 4), ReadKind.POINT, host.now);
      Peer first = sorter.ranked(0);
      sorter.context().pick(first);
      picked[first.endpoint.getAddress().getAddress()[3]]++;
    }
    assertThat(picked).containsExactly(0, 0, 10, 10, 10);
    for (int node = 2; node <= 4; node++) {
      assertThat(policy.peers().of(address(node)).outstanding()).isZero();
    }
  }

  /** They run on a read thread, or on the request's own where others wait for read threads. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void should_not_count_reads_of_its_own_data_that_are_over(boolean onThisThread)
      throws InterruptedException {
    PluginParts parts =
        new PluginParts(
            Settings.defaults(),
            host,
            new SimpleSnitch(),
            new StockOrder(new SimpleSnitch(), snitch -> null));
    parts.live.set(Map.of("mode", "rank"));
    Peers peers = parts.live.policy().peers();
    host.request = new Object();
    RequestContext context = parts.sorters.get().context();
    for (int page = 0; page < 3; page++) {
      parts.planner.sorted(host.self(), replicas(1, 2));
      assertThat(context.picksOf(peers.of(host.self())) + context.picksOf(peers.of(address(2))))
          .isEqualTo(1);
      Thread reads = new Thread(parts.traffic::onOwnReadAnswered);
      if (onThisThread) {
        parts.traffic.onOwnReadAnswered();
        assertThat(context.picksOf(peers.of(host.self()))).isZero();
      } else {
        reads.start();
        reads.join();
      }
    }
    assertThat(peers.of(host.self()).outstanding()).isZero();
  }

  @Test
  void should_leave_counts_that_threads_share_alone_while_it_ranks() {
    host.request = new Object();
    sorter.context().enter(host.request);
    Peer peer = policy.peers().of(address(2));
    for (int pick = 0; pick < 100; pick++) {
      sorter.context().pick(peer);
    }
    assertThat(sorter.context().picksOf(peer)).isEqualTo(100);
    sorter.rank(policy, replicas(2, 3), ReadKind.POINT, host.now);
    assertThat(sorter.ranked(0).endpoint).isEqualTo(address(3));
    assertThat(peer.outstanding()).isZero();
  }

  @Test
  void should_neither_favour_nor_shun_a_peer_without_feedback() {
    int[] first = new int[5];
    answers(2, 1);
    answers(3, 1);
    Peer stock = policy.peers().of(address(4));
    stock.reads.onSent(host.now, ReadKind.POINT, false, host.now);
    stock.reads.onAnswered(host.now, ReadKind.POINT, null, host.now + MILLI);
    for (int read = 0; read < 900; read++) {
      int best = sorted(2, 3, 4).get(0);
      first[best]++;
      Peer peer = policy.peers().of(address(best));
      peer.reads.onSent(host.now, ReadKind.POINT, false, host.now);
      Feedback feedback = best == 4 ? null : new Feedback(0, 0, 32, MILLI / 2);
      peer.reads.onAnswered(host.now, ReadKind.POINT, feedback, host.now + MILLI);
      host.now += MILLI;
    }
    assertThat(first[4]).isBetween(200, 400);
  }

  @Test
  void should_return_a_permutation_whatever_is_known() {
    for (int round = 0; round < 200; round++) {
      if (round % 3 == 0) {
        host.dead.add(address(2 + round % 5));
      } else {
        host.dead.remove(address(2 + round % 7));
      }
      answers(2 + round % 5, 1 + round % 11);
      assertThat(sorted(2, 3, 4, 5, 6)).containsExactlyInAnyOrder(2, 3, 4, 5, 6);
    }
  }

  private void answers(int node, long millis) {
    respond(policy.peers().of(address(node)), millis * MILLI);
  }

  private void respond(Peer peer, long nanos) {
    peer.reads.onSent(host.now, ReadKind.POINT, false, host.now);
    peer.reads.onAnswered(
        host.now, ReadKind.POINT, new Feedback(0, 0, 32, nanos / 2), host.now + nanos);
    host.now += nanos;
  }

  private List<Integer> sorted(int... nodes) {
    EndpointsForToken replicas = replicas(nodes);
    sorter.context().enter(host.request);
    sorter.rank(policy, replicas, ReadKind.POINT, host.now);
    assertThat(sorter.place()).isTrue();
    List<Integer> result = new ArrayList<>();
    for (Replica replica : sorter.sorted(replicas)) {
      result.add((int) replica.endpoint().getAddress().getAddress()[3]);
    }
    return result;
  }

  private static EndpointsForToken replicas(int... nodes) {
    Token token = new LongToken(5);
    Range<Token> range = new Range<>(new LongToken(0), new LongToken(10));
    EndpointsForToken.Builder builder = EndpointsForToken.builder(token);
    for (int node : nodes) {
      builder.add(Replica.fullReplica(address(node), range));
    }
    return builder.build();
  }
}
