/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import java.util.Locale;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  private final FakeHost host = new FakeHost();
  private final ActivePolicy policy = new ActivePolicy(Settings.defaults(), host);
  private final ReplicaSorter sorter = new ReplicaSorter(host, new LocalReads(host));
  private final Decisions decisions = new Decisions(host.now);

  @Test
  void should_tell_what_was_known_when_it_was_chosen() {
    Peer faster = policy.peers().of(address(3));
    respond(policy.peers().of(address(2)), 9_000_000);
    respond(faster, 1_500_000);
    rank();
    decisions.record(Mode.RANK, sorter, sorter.ranked(0), "lowest score");
    for (int i = 0; i < 100; i++) {
      respond(faster, 70_000_000);
    }
    Decisions.Decision decision = decisions.all().get(0);
    assertThat(decision.stockFirst).startsWith("127.0.0.2:");
    assertThat(decision.curtailFirst()).isEqualTo(decision.chosen).startsWith("127.0.0.3:");
    assertThat(decision.candidates())
        .startsWith(decision.chosen + " score ")
        .contains(" R 1.500 ms S 0.750 ms queue 0.0 outstanding 0, " + decision.stockFirst);
  }

  @Test
  void should_write_numbers_alike_in_every_country() {
    respond(policy.peers().of(address(2)), 9_000_000);
    respond(policy.peers().of(address(3)), 1_500_000);
    rank();
    decisions.record(Mode.RANK, sorter, sorter.ranked(0), "lowest score");
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(decisions.all().get(0).candidates()).contains(" R 1.500 ms");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void should_keep_the_latest() {
    respond(policy.peers().of(address(2)), 9_000_000);
    respond(policy.peers().of(address(3)), 1_500_000);
    rank();
    for (int i = 0; i < Decisions.KEPT + 10; i++) {
      decisions.record(Mode.RANK, sorter, sorter.ranked(0), "lowest score");
    }
    assertThat(decisions.all()).hasSize(Decisions.KEPT);
    assertThat(decisions.all().get(0).number).isEqualTo(10);
  }

  @Test
  void should_take_no_more_than_asked_for() {
    assertThat(decisions.wants(0, host.now)).isFalse();
    int taken = 0;
    for (int i = 0; i < 1_000; i++) {
      host.now += 1_000_000;
      taken += decisions.wants(10, host.now) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(10);
  }

  private void rank() {
    Token token = new LongToken(5);
    Range<Token> range = new Range<>(new LongToken(0), new LongToken(10));
    EndpointsForToken replicas =
        EndpointsForToken.of(
            token, Replica.fullReplica(address(2), range), Replica.fullReplica(address(3), range));
    sorter.context().enter(host.request);
    sorter.rank(policy, replicas, ReadKind.POINT, host.now);
    assertThat(sorter.place()).isTrue();
  }

  private void respond(Peer peer, long nanos) {
    peer.reads.onSent(host.now, ReadKind.POINT, false, host.now);
    peer.reads.onAnswered(
        host.now, ReadKind.POINT, new Feedback(0, 0, 32, nanos / 2), host.now + nanos);
    host.now += nanos;
  }
}
