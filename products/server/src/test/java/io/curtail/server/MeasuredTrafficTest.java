/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import io.curtail.selection.FeedbackCodec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a node says of itself, which the simulator's servers say when as many reads are there. */
class MeasuredTrafficTest extends CoordinatorParts {
  /** The thread that reports has yet to take the next read. */
  @Test
  void should_report_no_queue_when_the_last_that_waits_gets_the_thread_of_the_one_that_ends() {
    live.set(Map.of("mode", "rank"));
    host.slots = 4;
    host.activeReads = 4;
    host.waitingReads = 1;
    plugin.traffic().onServing(7);
    host.now += 5_000;
    Feedback reported = FeedbackCodec.decode(plugin.traffic().feedbackFor(7));
    assertThat(reported).isEqualTo(new Feedback(0, 4, 4, 5_000));
    assertThat(reads.report(host.self(), null)).isEqualTo(new Feedback(0, 4, 4, 0));
  }

  @Test
  void should_report_what_is_left_to_wait() {
    live.set(Map.of("mode", "rank"));
    host.slots = 4;
    host.activeReads = 4;
    host.waitingReads = 3;
    plugin.traffic().onServing(7);
    Feedback reported = FeedbackCodec.decode(plugin.traffic().feedbackFor(7));
    assertThat(reported.waiting()).isEqualTo(2);
    assertThat(reported.active()).isEqualTo(4);
  }
}
