/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReplicaDelayTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1000 * MILLISECOND;
  private static final double UNKNOWN = 7 * MILLISECOND;

  private final ReplicaDelay delay = new ReplicaDelay();

  /** As those to a node that a statement names: no plan is asked. */
  @Test
  void should_count_answers_to_requests_that_nobody_told_of() {
    ReplicaDelay delay = new ReplicaDelay(SECOND);
    delay.sent(SECOND);
    delay.answered(3 * SECOND);
    assertThat(delay.responseTimeNanos(4 * SECOND)).isEqualTo(3.0 * SECOND);
    for (int i = 0; i < 10; i++) {
      delay.answered(10 * MILLISECOND);
      delay.responseTimeNanos((5 + i) * SECOND);
    }
    assertThat(delay.responseTimeNanos(20 * SECOND)).isLessThan(20.0 * MILLISECOND);
  }

  /** Else what a replica took before a pause of the client is believed long after it. */
  @Test
  void should_forget_what_came_before_a_silence_with_the_first_answer_after_it() {
    ReplicaDelay delay = new ReplicaDelay(SECOND);
    delay.sent(SECOND);
    delay.answered(3 * SECOND);
    long later = 100 * SECOND;
    assertThat(delay.responseTimeNanos(later)).isEqualTo(3.0 * SECOND);
    delay.sent(later);
    delay.answered(10 * MILLISECOND);
    assertThat(delay.responseTimeNanos(later + 10 * MILLISECOND)).isLessThan(20.0 * MILLISECOND);
  }

  @Test
  void should_expect_what_it_is_told_when_nothing_was_answered() {
    assertThat(delay.responseTimeNanos(0)).isZero();
    assertThat(delay.expectedNanos(3, UNKNOWN, 0)).isEqualTo(UNKNOWN);
  }

  @Test
  void should_weigh_a_sample_by_the_time_since_the_one_before() {
    delay.answered(MILLISECOND);
    assertThat(delay.responseTimeNanos(0)).isEqualTo(MILLISECOND);
    delay.answered(2 * MILLISECOND);
    delay.answered(4 * MILLISECOND);
    double averaged = MILLISECOND * (3 - 2 / Math.E);
    assertThat(delay.responseTimeNanos(50 * MILLISECOND))
        .isCloseTo(averaged, within(0.02 * MILLISECOND));
    assertThat(delay.responseTimeNanos(SECOND)).isCloseTo(averaged, within(0.02 * MILLISECOND));

    delay.answered(9 * MILLISECOND);
    assertThat(delay.responseTimeNanos(2 * SECOND))
        .isCloseTo(9.0 * MILLISECOND, within(0.02 * MILLISECOND));
  }

  @Test
  void should_tell_by_how_much_the_average_may_be_wrong_by_chance() {
    assertThat(delay.uncertainty()).isEqualTo(1);
    answer(100);
    delay.responseTimeNanos(0);
    assertThat(delay.uncertainty()).isCloseTo(0.2f, within(1e-6f));
    delay.responseTimeNanos(SECOND);
    assertThat(delay.uncertainty()).as("nothing heard").isCloseTo(0.2f, within(1e-6f));
    answer(100);
    delay.responseTimeNanos(50 * MILLISECOND);
    double kept = 1 / Math.E;
    double both = Math.sqrt(kept * kept * 4 / 100 + (1 - kept) * (1 - kept) * 4 / 100);
    assertThat(delay.uncertainty()).isCloseTo((float) both, within(0.01f));

    answer(50_000);
    delay.responseTimeNanos(SECOND);
    assertThat(delay.uncertainty()).as("many").isEqualTo(0.1f);
  }

  /** Hundreds before it are no reason to believe one that is most of the average. */
  @Test
  void should_doubt_an_answer_after_a_pause_whatever_came_before() {
    answer(500);
    delay.responseTimeNanos(0);
    answer(1);
    delay.responseTimeNanos(50 * MILLISECOND);
    assertThat(delay.uncertainty()).isEqualTo(1);
    for (int i = 1; i <= 50; i++) {
      answer(10);
      delay.responseTimeNanos(50 * MILLISECOND + i * MILLISECOND / 10);
    }
    assertThat(delay.uncertainty()).as("the one is most of it still").isEqualTo(1);
  }

  private void answer(int times) {
    for (int i = 0; i < times; i++) {
      delay.answered(MILLISECOND);
    }
  }

  @Test
  void should_remember_for_as_long_as_it_is_told() {
    ReplicaDelay lasting = new ReplicaDelay(SECOND);
    for (ReplicaDelay each : new ReplicaDelay[] {delay, lasting}) {
      each.answered(MILLISECOND);
      each.responseTimeNanos(0);
      each.answered(11 * MILLISECOND);
    }
    assertThat(delay.responseTimeNanos(50 * MILLISECOND))
        .isCloseTo(MILLISECOND * (11 - 10 / Math.E), within(0.1 * MILLISECOND));
    assertThat(lasting.responseTimeNanos(50 * MILLISECOND))
        .isCloseTo(1.49 * MILLISECOND, within(0.02 * MILLISECOND));
    assertThatThrownBy(() -> new ReplicaDelay(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void should_keep_the_latest_answers_when_nobody_asks_for_more_than_fit() {
    for (int i = 0; i < 0xFFFF; i++) {
      delay.answered(MILLISECOND);
    }
    assertThat(delay.responseTimeNanos(0)).isEqualTo(MILLISECOND);
    for (int i = 0; i < 0x10000; i++) {
      delay.answered(9 * MILLISECOND);
    }
    assertThat(delay.responseTimeNanos(SECOND))
        .isCloseTo(9.0 * MILLISECOND, within(0.02 * MILLISECOND));

    delay.answered(Long.MAX_VALUE);
    delay.answered(2 * MILLISECOND);
    assertThat(delay.responseTimeNanos(2 * SECOND))
        .isCloseTo(2.0 * MILLISECOND, within(0.02 * MILLISECOND));
  }

  @Test
  void should_add_the_wait_for_an_overdue_answer() {
    delay.answered(MILLISECOND);
    delay.sent(0);
    assertThat(delay.expectedNanos(1, UNKNOWN, 4 * MILLISECOND)).isEqualTo(MILLISECOND);
    assertThat(delay.expectedNanos(1, UNKNOWN, 5 * MILLISECOND)).isCloseTo(2e6, within(1.0));
    delay.sent(60 * MILLISECOND);
    assertThat(delay.expectedNanos(2, UNKNOWN, SECOND)).isCloseTo(997e6, within(1.0));

    delay.heard();
    assertThat(delay.expectedNanos(1, UNKNOWN, SECOND)).isEqualTo(MILLISECOND);
  }

  @Test
  void should_end_the_wait_when_nothing_is_outstanding() {
    delay.answered(MILLISECOND);
    delay.sent(0);
    assertThat(delay.expectedNanos(0, UNKNOWN, SECOND)).isEqualTo(MILLISECOND);
    assertThat(delay.expectedNanos(1, UNKNOWN, SECOND)).isEqualTo(MILLISECOND);
  }

  /** As of a request that a second copy answered: the driver tells of the first answer only. */
  @Test
  void should_count_an_answer_that_nobody_told_of_by_how_long_it_was_seen_to_be_owed() {
    delay.answered(MILLISECOND);
    delay.sent(0);
    assertThat(delay.expectedNanos(1, UNKNOWN, 900 * MILLISECOND)).isCloseTo(897e6, within(1.0));
    assertThat(delay.expectedNanos(0, UNKNOWN, SECOND)).isGreaterThan(700e6);
    assertThat(delay.responseTimeNanos(2 * SECOND)).isGreaterThan(700e6);

    delay.sent(3 * SECOND);
    assertThat(delay.expectedNanos(1, UNKNOWN, 9 * SECOND)).isGreaterThan(2e9);
    delay.answered(MILLISECOND);
    assertThat(delay.expectedNanos(0, UNKNOWN, 10 * SECOND)).isCloseTo(1e6, within(1e5));
    assertThat(delay.expectedNanos(0, UNKNOWN, 20 * SECOND)).isCloseTo(1e6, within(1e5));
  }

  /** Which the client hears of, though nobody waits for it. */
  @Test
  void should_count_an_untold_answer_that_comes_by_how_long_it_was_seen_to_be_owed() {
    delay.answered(MILLISECOND);
    delay.heardUntold();
    assertThat(delay.responseTimeNanos(0)).isEqualTo(MILLISECOND);
    delay.sent(0);
    assertThat(delay.expectedNanos(1, UNKNOWN, 900 * MILLISECOND)).isCloseTo(897e6, within(1.0));
    delay.heardUntold();
    assertThat(delay.expectedNanos(1, UNKNOWN, SECOND)).isGreaterThan(700e6);
    delay.heardUntold();
    assertThat(delay.responseTimeNanos(9 * SECOND)).isGreaterThan(700e6);
  }

  @Test
  void should_claim_one_probe_in_an_interval_in_which_nothing_is_sent() {
    assertThat(delay.claimProbe(SECOND, 9 * SECOND)).as("never asked").isTrue();
    delay.sent(10 * SECOND);
    delay.answered(MILLISECOND);
    assertThat(delay.claimProbe(SECOND, 11 * SECOND - 1)).isFalse();
    assertThat(delay.claimProbe(SECOND, 11 * SECOND)).isTrue();
    assertThat(delay.claimProbe(SECOND, 12 * SECOND - 1)).isFalse();
    assertThat(delay.claimProbe(SECOND, 12 * SECOND)).isTrue();
  }

  @Test
  void should_claim_a_probe_when_it_answered_and_nothing_was_sent_by_the_ranking() {
    delay.answered(500 * MILLISECOND);
    assertThat(delay.claimProbe(SECOND, 9 * SECOND)).isTrue();
    assertThat(delay.claimProbe(SECOND, 10 * SECOND - 1)).isFalse();
    assertThat(delay.claimProbe(SECOND, 10 * SECOND)).isTrue();
  }

  @Test
  void should_double_the_time_between_probes_when_an_answer_is_owed() {
    delay.sent(100 * SECOND);
    assertThat(delay.claimProbe(SECOND, 110 * SECOND - 1)).isFalse();
    assertThat(delay.claimProbe(SECOND, 110 * SECOND)).isTrue();
    assertThat(delay.claimProbe(SECOND, 120 * SECOND)).isTrue();
    assertThat(delay.claimProbe(SECOND, 140 * SECOND - 1)).isFalse();
    assertThat(delay.claimProbe(SECOND, 140 * SECOND)).isTrue();
  }

  @Test
  void should_learn_from_an_answer_that_was_not_waited_for_when_it_was_late() {
    delay.answered(10 * MILLISECOND);
    assertThat(delay.responseTimeNanos(0)).isEqualTo(10 * MILLISECOND);
    delay.silent(9 * MILLISECOND);
    assertThat(delay.responseTimeNanos(SECOND)).isEqualTo(10 * MILLISECOND);
    delay.silent(500 * MILLISECOND);
    assertThat(delay.responseTimeNanos(2 * SECOND))
        .isCloseTo(500.0 * MILLISECOND, within(MILLISECOND * 1.0));
  }
}
