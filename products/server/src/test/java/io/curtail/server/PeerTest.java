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
  private final Peer peer = new Peers(host, LoadSettings.PAPER, "none").of(FakeHost.address(2));

  @Test
  void should_count_a_read_until_it_is_answered_once() {
    peer.reads.onSent(9, false, false, 0);
    assertThat(peer.outstanding()).isEqualTo(1);
    peer.reads.onAnswered(9, false, new Feedback(1, 2, 32, 500), 1_000);
    peer.reads.onAnswered(9, false, new Feedback(1, 2, 32, 500), 2_000);
    peer.reads.onFailed(9, 5 * SECOND, 3_000);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.counts.answered.sum()).isEqualTo(1);
    assertThat(peer.counts.failed.sum()).isZero();
    assertThat(peer.responseTimeNanos()).isEqualTo(1_000);
  }

  @Test
  void should_remember_a_timeout_though_nothing_is_outstanding_any_more() {
    peer.reads.onSent(1, false, false, 0);
    peer.reads.onAnswered(1, false, null, 1_000);
    for (long id = 2; id < 10; id++) {
      peer.reads.onSent(id, false, false, 10_000);
    }
    peer.reads.sweep(5 * SECOND, 10 * SECOND, 6 * SECOND);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.counts.expired.sum()).isEqualTo(8);
    assertThat(peer.responseTimeNanos()).isGreaterThan(4e9);
    peer.reads.onAnswered(5, false, null, 7 * SECOND);
    assertThat(peer.outstanding()).isZero();
  }

  @Test
  void should_keep_the_time_of_range_reads_out_of_that_of_point_reads() {
    peer.reads.onSent(1, false, false, 0);
    peer.reads.onAnswered(1, false, new Feedback(0, 0, 32, 100), 1_000);
    peer.reads.onSent(2, true, false, 2_000);
    assertThat(peer.outstanding()).isEqualTo(1);
    peer.reads.onAnswered(2, true, new Feedback(7, 0, 32, 90 * SECOND), 80 * SECOND);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.responseTimeNanos()).isEqualTo(1_000);
    assertThat(peer.serviceTimeNanos()).isEqualTo(100);
    assertThat(peer.lastWaiting()).isEqualTo(7);
  }

  @Test
  void should_forget_what_is_outstanding_at_a_dead_peer() {
    peer.reads.onSent(1, false, false, 0);
    peer.reads.onSent(2, true, false, 0);
    peer.reads.forgetOutstanding(10);
    assertThat(peer.outstanding()).isZero();
    assertThat(peer.counts.expired.sum()).isZero();
  }

  @Test
  void should_give_the_right_to_probe_to_one_thread_once_in_a_while() {
    assertThat(peer.isUnheardFor(SECOND, host.now)).isTrue();
    assertThat(peer.probing.take(SECOND, host.now)).isTrue();
    assertThat(peer.probing.take(SECOND, host.now)).isFalse();
    assertThat(peer.probing.take(SECOND, host.now + SECOND)).isTrue();
  }
}
