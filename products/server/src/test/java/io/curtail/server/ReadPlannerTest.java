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
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.ReplicaCollection;
import org.apache.cassandra.locator.SimpleSnitch;
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
    parts.planner.sorted(host.self(), EndpointsForToken.of(new LongToken(5), SECOND, THIRD));
    assertThat(parts.guard.errors()).isZero();
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
    parts.sorters.get().context().onPaxos(host.request);
    orderPoint();
    assertThat(parts.counts.overdrawn.sum()).isZero();

    host.request = new Object();
    orderPoint();
    assertThat(parts.counts.overdrawn.sum()).isEqualTo(1);
  }

  @Test
  void should_not_count_reads_of_transactions_as_ones_that_would_be_held() {
    for (String mode : new String[] {"rank", "observe"}) {
      live.set(Map.of("mode", mode, "rate_observe", "true"));
      exhaustRates();
      host.request = new Object();
      parts.sorters.get().context().onPaxos(host.request);
      orderPoint();
      assertThat(parts.counts.wouldHold.sum()).as(mode).isZero();
    }
    host.request = new Object();
    orderPoint();
    assertThat(parts.counts.wouldHold.sum()).isEqualTo(1);
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
    assertThat(parts.guard.errors()).isZero();
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
      parts.planner.sorted(host.self(), EndpointsForRange.of(SECOND, THIRD));
    }
    assertThat(parts.counts.wouldHold.sum()).isZero();
    assertThat(parts.counts.observed.sum()).isEqualTo(20);
    orderPoint();
    assertThat(parts.counts.wouldHold.sum()).isEqualTo(1);
  }

  /** It would be asked twice for the same read, and reorder what was ordered by its like. */
  @Test
  void should_leave_all_to_the_topology_while_another_dynamic_snitch_is_around() {
    SimpleSnitch topology =
        new SimpleSnitch() {
          @Override
          public boolean isWorthMergingForRangeQuery(
              ReplicaCollection<?> merged, ReplicaCollection<?> left, ReplicaCollection<?> right) {
            return false;
          }
        };
    StockOrder stock =
        new StockOrder(
            topology,
            snitch ->
                new Cassandra50DynamicSnitch(snitch) {
                  @Override
                  public <C extends ReplicaCollection<? extends C>> C sortedByProximity(
                      InetAddressAndPort from, C replicas) {
                    throw new AssertionError("asked for the order of a stock node");
                  }

                  @Override
                  public boolean isWorthMergingForRangeQuery(
                      ReplicaCollection<?> merged,
                      ReplicaCollection<?> left,
                      ReplicaCollection<?> right) {
                    return true;
                  }
                });
    PluginParts wrapped = new PluginParts(Settings.defaults(), host, topology, stock);
    EndpointsForToken replicas = EndpointsForToken.of(new LongToken(5), SECOND, THIRD);
    for (String mode : new String[] {"off", "observe", "rank"}) {
      wrapped.live.snitchIs(false, true);
      wrapped.live.set(Map.of("mode", mode));
      assertThat(wrapped.planner.isWorthMerging(replicas, replicas, replicas))
          .as(mode)
          .isEqualTo(!mode.equals("rank"));
      wrapped.live.snitchIs(true, true);
      assertThat(wrapped.planner.sorted(host.self(), replicas).endpointList())
          .as(mode)
          .isEqualTo(replicas.endpointList());
      assertThat(wrapped.planner.isWorthMerging(replicas, replicas, replicas)).as(mode).isFalse();
    }
    assertThat(wrapped.guard.errors()).isZero();
  }
}
