/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReplicaLoadTest {
  private static final long MILLI = 1_000_000;

  @Test
  void should_weigh_a_new_sample_as_in_the_paper() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);
    answer(load, 10 * MILLI, new Feedback(4, 2, 4, 5 * MILLI), 100);
    answer(load, 20 * MILLI, new Feedback(8, 3, 4, 6 * MILLI), 200);
    assertThat(load.responseTimeNanos()).isCloseTo(19.0 * MILLI, within(1.0));
    assertThat(load.serviceTimeNanos()).isCloseTo(5.9 * MILLI, within(1.0));
    assertThat(load.waiting()).isCloseTo(7.6, within(1e-9));
    assertThat(load.lastWaiting()).isEqualTo(8);
    assertThat(load.lastActive()).isEqualTo(3);
    assertThat(load.feedbackAgeNanos(250)).isEqualTo(50);
  }

  @Test
  void should_forget_by_elapsed_time_when_told_so() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.perElapsedTime(10 * MILLI));
    answer(load, 10 * MILLI, null, 0);
    answer(load, 20 * MILLI, null, 10 * MILLI);
    assertThat(load.responseTimeNanos())
        .isCloseTo((10 + 10 * (1 - Math.exp(-1))) * MILLI, within(1.0));
    answer(load, 40 * MILLI, null, 10_000 * MILLI);
    assertThat(load.responseTimeNanos()).isCloseTo(40.0 * MILLI, within(1.0));
  }

  /** Of range reads and point reads the rarer kind hears of the queue by the other. */
  @Test
  void should_weigh_a_service_time_by_the_time_since_the_one_before_when_the_queue_is_heard_more() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.perElapsedTime(10 * MILLI));
    load.onQueue(new Feedback(9, 4, 4, 0), 0);
    assertThat(load.hasFeedback()).isFalse();
    answer(load, 10 * MILLI, new Feedback(0, 1, 4, 10 * MILLI), 0);
    for (int i = 1; i <= 100; i++) {
      load.onQueue(new Feedback(8, 4, 4, MILLI / 10), i * MILLI);
    }
    load.onQueue(new Feedback(0, 4, 4, MILLI / 10), 50 * MILLI);
    assertThat(load.serviceTimeNanos()).isEqualTo(10.0 * MILLI);
    assertThat(load.waiting()).isCloseTo(8, within(0.01));
    assertThat(load.feedbackAgeNanos(101 * MILLI)).isEqualTo(MILLI);
    answer(load, 90 * MILLI, new Feedback(8, 4, 4, 90 * MILLI), 101 * MILLI);
    assertThat(load.serviceTimeNanos()).isCloseTo(90.0 * MILLI, within(0.01 * MILLI));
  }

  @Property
  void should_stay_within_what_was_seen(
      @ForAll @Size(min = 1, max = 50) long @LongRange(min = 0, max = 60_000_000_000L) [] samples) {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.perElapsedTime(MILLI));
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < samples.length; i++) {
      least = Math.min(least, samples[i]);
      most = Math.max(most, samples[i]);
      answer(load, samples[i], null, i * 500_000L);
    }
    assertThat(load.responseTimeNanos()).isBetween(least - 1.0, most + 1.0);
  }

  @Test
  void should_count_a_failure_as_a_slow_answer_that_fades() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER.withFailureMemory(1_000 * MILLI));
    load.onSent();
    load.onFailure(10, 2_000 * MILLI, 0);
    assertThat(load.outstanding()).isZero();
    assertThat(load.responseTimeNanos()).isEqualTo(2_000.0 * MILLI);
    assertThat(load.failurePenaltyNanos(0)).isEqualTo(2_000.0 * MILLI);
    assertThat(load.failurePenaltyNanos(10_000 * MILLI)).isLessThan(0.1 * MILLI);
  }

  @Test
  void should_count_down_and_learn_nothing_when_a_request_is_abandoned() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);
    load.onSent();
    load.onAbandoned();
    assertThat(load.outstanding()).isZero();
    assertThat(load.hasResponded()).isFalse();
  }

  @Test
  void should_be_overdue_when_it_owes_an_answer_for_longer_than_eight_usual_ones() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);
    long start = -1_000 * MILLI; // by the clock of a host
    load.onSent(start - MILLI);
    assertThat(load.isOverdue(start)).as("it never answered").isTrue();
    load.onResponse(MILLI, null, start);
    assertThat(load.isOverdue(start + 500 * MILLI)).as("it owes none").isFalse();

    long sent = start + 500 * MILLI;
    load.onSent(sent);
    load.onSent(sent + 7 * MILLI);
    assertThat(load.isOverdue(sent)).as("it was idle").isFalse();
    assertThat(load.isOverdue(sent + 8 * MILLI)).isFalse();
    assertThat(load.isOverdue(sent + 9 * MILLI)).isTrue();
    load.onResponse(MILLI, null, sent + 9 * MILLI);
    assertThat(load.isOverdue(sent + 17 * MILLI)).as("it answers").isFalse();
    assertThat(load.isOverdue(sent + 18 * MILLI)).isTrue();
    load.onAbandoned();
    assertThat(load.isOverdue(sent + 18 * MILLI)).isFalse();
  }

  /** Eight times what it took until it timed out would be forty seconds. */
  @Test
  void should_be_overdue_at_once_when_it_owes_an_answer_and_failed_the_last() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);
    answer(load, MILLI, null, 0);
    load.onSent(MILLI);
    long failed = 5_001 * MILLI;
    load.onFailure(5_000 * MILLI, 5_000 * MILLI, failed);
    assertThat(load.isOverdue(failed + MILLI)).as("it owes none").isFalse();
    load.onSent(failed + MILLI);
    load.onSent(failed + MILLI);
    assertThat(load.isOverdue(failed + MILLI)).isTrue();
    load.onResponse(MILLI, null, failed + 2 * MILLI);
    assertThat(load.isOverdue(failed + 2 * MILLI)).as("it answered").isFalse();
  }

  /** Which may take much longer. */
  @Test
  void should_not_be_overdue_for_owing_requests_of_another_kind() {
    ReplicaLoad point = new ReplicaLoad(LoadSettings.PAPER);
    ReplicaLoad range = new ReplicaLoad(LoadSettings.PAPER, point);
    answer(point, MILLI, null, 0);
    range.onSent(0);
    answer(range, 100 * MILLI, null, 100 * MILLI);
    assertThat(point.outstanding()).isEqualTo(1);
    assertThat(point.isOverdue(200 * MILLI)).isFalse();
    assertThat(range.isOverdue(1_000 * MILLI)).isTrue();

    point.onSent(200 * MILLI);
    assertThat(point.isOverdue(201 * MILLI)).isFalse();
    assertThat(point.isOverdue(209 * MILLI)).isTrue();
    range.onAbandoned();
    assertThat(point.isOverdue(209 * MILLI)).isTrue();
    assertThat(range.isOverdue(1_000 * MILLI)).isFalse();
    point.onAbandoned();
    assertThat(point.isOverdue(209 * MILLI)).isFalse();
  }

  @Test
  void should_not_let_older_feedback_replace_newer() {
    ReplicaLoad load = new ReplicaLoad(LoadSettings.PAPER);
    load.onFeedback(new Feedback(5, 4, 4, MILLI), 100);
    load.onFeedback(new Feedback(0, 0, 4, MILLI), 50);
    assertThat(load.lastWaiting()).isEqualTo(5);
  }

  @Test
  void should_keep_a_peak_and_let_it_fall_slowly() {
    ReplicaLoad load = new ReplicaLoad(PeakEwmaPolicy.LOAD);
    answer(load, 100 * MILLI, null, 0);
    answer(load, 10 * MILLI, null, 10_000 * MILLI);
    assertThat(((PeakEwmaPolicy.Peak) load.memory()).nanos(10_000 * MILLI))
        .isCloseTo((10 + 90 * Math.exp(-1)) * MILLI, within(1.0));
  }

  private static void answer(ReplicaLoad load, long elapsed, Feedback feedback, long now) {
    load.onSent();
    load.onResponse(elapsed, feedback, now);
  }
}
