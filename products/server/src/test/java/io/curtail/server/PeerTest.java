/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.LoadSettings;
import org.junit.jupiter.api.Test;

class PeerTest {
  private static final long SECOND = 1_000_000_000L;
  private final FakeHost host = new FakeHost();
  private final Peer peer =
      new Peers(host, LoadSettings.PAPER, now -> null).of(FakeHost.address(2));

  @Test
  void should_count_a_read_until_it_is_answered_once() {
    peer.reads.onSent(9, ReadKind.POINT, false, 0);
    assertThat(peer.outstanding()).isEqualTo(1);
    peer.reads.onAnswered(9, ReadKind.POINT, new Feedback(1, 2, 32, 500), 1_000);
    peer.reads.onAnswered(9, ReadKind.POINT, new Feedback(1, 2, 32, 500), 2_000);
    peer.reads.onFailed(9, FailureCause.REPLICA, 5 * SECOND, 10 * SECOND, 3_000);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.counts.answered.sum()).isEqualTo(1);
    assertThat(peer.counts.failed.sum()).isZero();
    assertThat(peer.point.responseTimeNanos()).isEqualTo(1_000);
  }

  @Test
  void should_remember_a_timeout_though_nothing_is_outstanding_any_more() {
    peer.reads.onSent(1, ReadKind.POINT, false, 0);
    peer.reads.onAnswered(1, ReadKind.POINT, null, 1_000);
    for (long id = 2; id < 10; id++) {
      peer.reads.onSent(id, ReadKind.POINT, false, 10_000);
    }
    peer.reads.sweep(5 * SECOND, 10 * SECOND, 6 * SECOND);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.counts.expired.sum()).isEqualTo(8);
    assertThat(peer.point.responseTimeNanos()).isGreaterThan(4e9);
    peer.reads.onAnswered(5, ReadKind.POINT, null, 7 * SECOND);
    assertThat(peer.outstanding()).isZero();
  }

  @Test
  void should_keep_the_time_of_range_reads_out_of_that_of_point_reads() {
    peer.reads.onSent(1, ReadKind.POINT, false, 0);
    peer.reads.onAnswered(1, ReadKind.POINT, new Feedback(0, 0, 32, 100), 1_000);
    peer.reads.onSent(2, ReadKind.RANGE, false, 2_000);
    assertThat(peer.outstanding()).isEqualTo(1);
    peer.reads.onAnswered(2, ReadKind.RANGE, new Feedback(7, 0, 32, 90 * SECOND), 80 * SECOND);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.point.responseTimeNanos()).isEqualTo(1_000);
    assertThat(peer.point.serviceTimeNanos()).isEqualTo(100);
    assertThat(peer.point.lastWaiting()).isEqualTo(7);
    assertThat(peer.load(ReadKind.RANGE).responseTimeNanos()).isEqualTo(80e9 - 2_000);
    assertThat(peer.load(ReadKind.RANGE).serviceTimeNanos()).isEqualTo(90e9);
  }

  /** One range read in a hundred reads, each of which tells the queue. */
  @Test
  void should_follow_the_service_time_of_the_rarer_kind_of_reads() {
    Peer busy =
        new Peers(host, LoadSettings.perElapsedTime(50_000_000), now -> null)
            .of(FakeHost.address(2));
    long now = 0;
    for (long id = 1; id <= 1_000; id++, now += 1_000_000) {
      ReadKind kind = id % 100 == 0 ? ReadKind.RANGE : ReadKind.POINT;
      long service = kind == ReadKind.POINT ? 100 : id < 500 ? 1_000 : 9_000;
      busy.reads.onSent(id, kind, false, now);
      busy.reads.onAnswered(id, kind, new Feedback(0, 0, 32, service), now + 10_000);
    }
    assertThat(busy.load(ReadKind.RANGE).serviceTimeNanos()).isGreaterThan(8_900);
    assertThat(busy.point.serviceTimeNanos()).isEqualTo(100);
  }

  @Test
  void should_not_hold_it_against_a_replica_when_a_read_is_refused_for_what_it_asks() {
    peer.reads.onSent(1, ReadKind.POINT, false, 0);
    peer.reads.onAnswered(1, ReadKind.POINT, new Feedback(0, 0, 32, 100), 1_000);
    peer.reads.onSent(2, ReadKind.POINT, false, 2_000);
    peer.reads.onFailed(2, FailureCause.READ, 5 * SECOND, 10 * SECOND, 3_000);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.counts.failed.sum()).isEqualTo(1);
    assertThat(peer.point.responseTimeNanos()).isEqualTo(1_000);
    assertThat(peer.point.failurePenaltyNanos(3_000)).isZero();
    peer.reads.onSent(3, ReadKind.POINT, false, 4_000);
    peer.reads.onFailed(3, FailureCause.REPLICA, 5 * SECOND, 10 * SECOND, 5_000);
    assertThat(peer.point.failurePenaltyNanos(5_000)).isEqualTo(5e9);
  }

  /** The simulator's clients learn the same, see {@code ReturnedReadTest}. */
  @Test
  void should_learn_how_long_reads_take_from_one_that_came_back() {
    peer.reads.onSent(1, ReadKind.POINT, false, 0);
    peer.reads.onReturned(1, new Feedback(9, 4, 4, 4_000), 1_000);
    assertThat(peer.point.serviceTimeNanos()).isEqualTo(4_000);
    assertThat(peer.point.waiting()).isEqualTo(9);
    peer.reads.onSent(2, ReadKind.POINT, false, 1_000);
    peer.reads.onAnswered(2, ReadKind.POINT, new Feedback(0, 1, 4, 1_000), 2_000);
    peer.reads.onSent(3, ReadKind.POINT, false, 2_000);
    peer.reads.onReturned(3, new Feedback(9, 4, 4, 8_000), 3_000);
    assertThat(peer.point.serviceTimeNanos()).isEqualTo(7_330);
    assertThat(peer.point.responseTimeNanos()).isEqualTo(1_000);
    assertThat(peer.load(ReadKind.RANGE).hasFeedback()).isFalse();
    assertThat(peer.outstanding()).isZero();
  }

  /** Of a node that has not read anything since it started. */
  @Test
  void should_learn_only_the_queue_from_a_report_without_a_service_time() {
    peer.reads.onSent(1, ReadKind.POINT, false, 0);
    peer.reads.onAnswered(1, ReadKind.POINT, new Feedback(0, 1, 4, 1_000), 1_000);
    peer.reads.onSent(2, ReadKind.POINT, false, 2_000);
    peer.reads.onReturned(2, new Feedback(9, 4, 4, 0), 3_000);
    assertThat(peer.point.serviceTimeNanos()).isEqualTo(1_000);
    assertThat(peer.point.lastWaiting()).isEqualTo(9);
  }

  @Test
  void should_forget_what_is_outstanding_at_a_dead_peer() {
    peer.reads.onSent(1, ReadKind.POINT, false, 0);
    peer.reads.onSent(2, ReadKind.RANGE, false, 0);
    peer.reads.forgetOutstanding(10);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.counts.expired.sum()).isZero();
    peer.reads.onSent(3, ReadKind.RANGE, false, 20);
    assertThat(peer.point.isOverdue(30)).as("of point reads").isFalse();
    peer.reads.onSent(4, ReadKind.POINT, false, 20);
    assertThat(peer.point.isOverdue(30)).isTrue();
  }
}
