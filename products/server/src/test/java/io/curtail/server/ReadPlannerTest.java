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
import org.apache.cassandra.locator.EndpointsForRange;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose reads rate control counts and holds. */
class ReadPlannerTest extends CoordinatorParts {
  private static final Range<Token> RANGE = new Range<>(new LongToken(0), new LongToken(10));
  private static final Replica SECOND = Replica.fullReplica(address(2), RANGE);
  private static final Replica THIRD = Replica.fullReplica(address(3), RANGE);

  @BeforeAll
  static void configure() {
    DatabaseDescriptor.clientInitialization();
  }

  @BeforeEach
  void start() {
    host.request = new Object();
  }

  private void orderPoint() {
    plugin.planner().sorted(host.self(), EndpointsForToken.of(new LongToken(5), SECOND, THIRD));
    assertThat(plugin.guard().errors()).isZero();
  }

  private void exhaustRates() {
    for (int node = 2; node <= 3; node++) {
      for (int i = 0; i < 1_000; i++) {
        live.policy().peers().of(address(node)).rate.acquire(host.now);
      }
    }
  }

  /** While one waits, the others of its partition wait for it. */
  @Test
  void should_not_hold_reads_of_transactions() {
    live.set(Map.of("mode", "rank+rate", "backlog_ms", "0"));
    exhaustRates();
    plugin.context().onPaxos(host.request);
    orderPoint();
    assertThat(plugin.counts().overdrawn.sum()).isZero();

    host.request = new Object();
    orderPoint();
    assertThat(plugin.counts().overdrawn.sum()).isEqualTo(1);
  }

  @Test
  void should_not_count_reads_of_transactions_as_ones_that_would_be_held() {
    for (String mode : new String[] {"rank", "observe"}) {
      live.set(Map.of("mode", mode, "rate_observe", "true"));
      exhaustRates();
      host.request = new Object();
      plugin.context().onPaxos(host.request);
      orderPoint();
      assertThat(plugin.counts().wouldHold.sum()).as(mode).isZero();
    }
    host.request = new Object();
    orderPoint();
    assertThat(plugin.counts().wouldHold.sum()).isEqualTo(1);
  }

  /** What it gave for them would be missing for as long as their threads rest. */
  @ParameterizedTest
  @CsvSource({"observe, 3", "rank, 2"})
  void should_keep_no_permit_of_a_replica_that_its_reads_do_not_go_to(String mode, int other)
      throws InterruptedException {
    live.set(Map.of("mode", mode, "rate_observe", "true", "rate_control", "in-flight-limit"));
    answer(SECOND, 90_000_000);
    answer(THIRD, 1_000_000);
    if (mode.equals("rank")) {
      for (int i = 0; i < 9; i++) {
        live.policy().peers().of(THIRD.endpoint()).rate.acquire(host.now);
      }
    }
    for (int i = 0; i < 9; i++) {
      Thread thread = new Thread(this::orderPoint);
      thread.start();
      thread.join();
    }
    assertThat(plugin.guard().errors()).isZero();
    assertThat(live.policy().peers().of(address(other)).rate.tryAcquire(host.now)).isZero();
  }

  private void answer(Replica replica, long nanos) {
    Peer peer = live.policy().peers().of(replica.endpoint());
    peer.point.onSent();
    peer.point.onResponse(nanos, new Feedback(0, 0, 32, nanos), host.now);
  }

  @Test
  void should_count_no_range_read_as_one_that_would_be_held() {
    live.set(Map.of("mode", "observe", "rate_observe", "true"));
    exhaustRates();
    for (int i = 0; i < 20; i++) {
      plugin.planner().sorted(host.self(), EndpointsForRange.of(SECOND, THIRD));
    }
    assertThat(plugin.counts().wouldHold.sum()).isZero();
    assertThat(plugin.counts().observed.sum()).isEqualTo(20);
    orderPoint();
    assertThat(plugin.counts().wouldHold.sum()).isEqualTo(1);
  }
}
