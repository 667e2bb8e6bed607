/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.weighted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReplicaHealthTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;

  private final ReplicaHealth health = new ReplicaHealth(HealthSettings.DEFAULT);

  @Test
  void should_be_unhealthy_when_busy_without_responses_for_a_window() {
    assertThat(health.isStalled(10, 0)).isFalse();
    assertThat(health.isStalled(11, 150 * MILLI)).isFalse();
    assertThat(health.isStalled(12, 200 * MILLI)).isTrue();
    assertThat(health.isStalled(12, 201 * MILLI)).isTrue();
  }

  @Test
  void should_be_unhealthy_when_the_node_never_answered_at_all() {
    health.isStalled(10, 0);
    assertThat(health.isStalled(64, 250 * MILLI)).isTrue();
  }

  @Test
  void should_stay_healthy_when_busy_and_answering() {
    for (long at = 0; at < 5 * SECOND; at += 50 * MILLI) {
      assertThat(health.isStalled(40, at)).isFalse();
      health.succeeded(0);
    }
  }

  @Test
  void should_recover_when_responses_come_back() {
    health.isStalled(10, 0);
    assertThat(health.isStalled(10, 200 * MILLI)).isTrue();
    health.succeeded(0);
    health.succeeded(0);
    assertThat(health.isStalled(10, 400 * MILLI)).isFalse();
  }

  @Test
  void should_not_move_the_window_when_the_verdict_is_only_shown() {
    health.isStalled(10, 0);
    assertThat(health.wasStalled(0)).isFalse();
    assertThat(health.isStalled(10, 200 * MILLI)).isTrue();
    assertThat(health.wasStalled(200 * MILLI)).isTrue();
    assertThat(health.wasStalled(399 * MILLI)).isTrue();
    assertThat(health.isStalled(10, 399 * MILLI)).isTrue();
  }

  /** Else a gauge shows for ever what the last plan saw. */
  @Test
  void should_show_no_verdict_that_no_ranking_has_renewed_for_long() {
    health.isStalled(10, 0);
    assertThat(health.isStalled(10, 200 * MILLI)).isTrue();
    assertThat(health.wasStalled(2 * SECOND)).isTrue();
    assertThat(health.wasStalled(3 * SECOND)).isFalse();
  }

  @Test
  void should_count_how_often_it_began_to_stall_and_to_fail() {
    for (int i = 0; i < 10; i++) {
      health.failed(0);
      health.isStalled(10, i * (200 * MILLI));
    }
    assertThat(health.timesFailing()).isEqualTo(1);
    assertThat(health.timesStalled()).isEqualTo(1);
    health.isStalled(9, 2 * SECOND);
    health.isStalled(10, 3 * SECOND);
    health.isStalled(10, 4 * SECOND);
    assertThat(health.timesStalled()).isEqualTo(2);
  }

  @Test
  void should_neither_forgive_nor_stall_when_answers_say_nothing() {
    for (int i = 0; i < 3; i++) {
      health.failed(0);
    }
    health.isStalled(10, 0);
    for (int i = 0; i < 20; i++) {
      health.answered();
    }
    assertThat(health.isFailing(0)).isTrue();
    assertThat(health.isStalled(10, 200 * MILLI)).isFalse();
  }

  @Test
  void should_judge_by_the_settings_given() {
    ReplicaHealth strict = new ReplicaHealth(new HealthSettings(2, 50 * MILLI, 0.2));
    strict.isStalled(2, 0);
    assertThat(strict.isStalled(2, 50 * MILLI)).isTrue();
    strict.failed(0);
    assertThat(strict.isFailing(0)).isTrue();
  }

  @Test
  void should_recover_at_once_when_it_is_no_longer_busy() {
    health.isStalled(10, 0);
    assertThat(health.isStalled(10, 200 * MILLI)).isTrue();
    assertThat(health.isStalled(9, 201 * MILLI)).isFalse();
    assertThat(health.mayBeUnhealthy(9)).isFalse();
  }

  @Test
  void should_be_unhealthy_after_three_failures_in_a_row() {
    health.failed(0);
    health.failed(0);
    assertThat(health.isFailing(0)).isFalse();
    health.failed(0);
    assertThat(health.isFailing(0)).isTrue();
  }

  @Test
  void should_try_a_failing_node_again_after_some_seconds_and_drop_it_at_one_more_failure() {
    for (int i = 0; i < 3; i++) {
      health.failed(0);
    }
    assertThat(health.isFailing(5 * SECOND)).isFalse();
    health.failed(5 * SECOND);
    assertThat(health.isFailing(5 * SECOND)).isTrue();
  }

  @Test
  void should_forget_failures_when_the_node_succeeds() {
    for (int i = 0; i < 10; i++) {
      health.failed(0);
    }
    for (int i = 0; i < 20; i++) {
      health.succeeded(0);
    }
    assertThat(health.hasFailed()).isFalse();
    assertThat(health.mayBeUnhealthy(0)).isFalse();
  }

  @Test
  void should_not_be_unhealthy_when_a_tenth_of_the_requests_fail() {
    for (int i = 0; i < 1000; i++) {
      if (i % 10 == 0) {
        health.failed(i * MILLI);
      } else {
        health.succeeded(i * MILLI);
      }
      assertThat(health.isFailing(i * MILLI)).isFalse();
    }
  }

  @Property
  void should_keep_the_failure_ratio_between_0_and_1(
      @ForAll @Size(max = 200) List<Boolean> samples) {
    ReplicaHealth subject = new ReplicaHealth(HealthSettings.DEFAULT);
    long now = 0;
    for (boolean success : samples) {
      now += 10 * MILLI;
      if (success) {
        subject.succeeded(now);
      } else {
        subject.failed(now);
      }
      assertThat(subject.failureRatio(now)).isBetween(0.0, 1.0);
      assertThat(subject.failureRatio(now + 60 * SECOND)).isLessThan(0.02);
    }
  }
}
