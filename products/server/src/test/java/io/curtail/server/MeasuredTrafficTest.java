/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.server.FakeHost.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node says of itself, which the simulator's servers say when as many reads are there. */
class MeasuredTrafficTest extends CoordinatorParts {
  /** The thread that reports has yet to take the next read. */
  @Test
  void should_report_no_queue_when_the_last_that_waits_gets_the_thread_of_the_one_that_ends() {
    live.set(Map.of("mode", "rank"));
    host.slots = 4;
    host.activeReads = 4;
    host.waitingReads = 1;
    parts.traffic.onServing(7);
    host.now += 5_000;
    Feedback reported = FeedbackCodec.decode(parts.traffic.feedbackFor(7));
    assertThat(reported).isEqualTo(new Feedback(0, 4, 4, 5_000));
    assertThat(reads.report(host.self(), null)).isEqualTo(new Feedback(0, 4, 4, 0));
  }

  /** A failure costs as much as its request would have waited at most. */
  @ParameterizedTest
  @CsvSource({"POINT, 5e9", "RANGE, 10e9"})
  void should_count_a_failed_read_as_one_of_the_timeout_of_its_kind(ReadKind kind, double nanos) {
    live.set(Map.of("mode", "rank"));
    parts.traffic.onReadSent(address(2), 7, kind, "a read");
    parts.traffic.onRequestFailed(address(2), 7, FailureCause.REPLICA);
    parts.traffic.onOwnReadFailed(kind);
    Peers peers = live.policy().peers();
    assertThat(peers.of(address(2)).load(kind).responseTimeNanos()).isEqualTo(nanos);
    assertThat(peers.of(host.self()).load(kind).responseTimeNanos()).isEqualTo(nanos);
  }

  @Test
  void should_report_what_is_left_to_wait() {
    live.set(Map.of("mode", "rank"));
    host.slots = 4;
    host.activeReads = 4;
    host.waitingReads = 3;
    parts.traffic.onServing(7);
    Feedback reported = FeedbackCodec.decode(parts.traffic.feedbackFor(7));
    assertThat(reported.waiting()).isEqualTo(2);
    assertThat(reported.active()).isEqualTo(4);
  }
}
