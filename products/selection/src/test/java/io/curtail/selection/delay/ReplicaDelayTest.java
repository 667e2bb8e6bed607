/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReplicaDelayTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1000 * MILLISECOND;
  private static final double UNKNOWN = 7 * MILLISECOND;

  private final ReplicaDelay delay = new ReplicaDelay();

  @Test
  void should_expect_what_it_is_told_when_nothing_was_answered() {
    assertThat(delay.responseTimeNanos()).isZero();
    assertThat(delay.expectedNanos(3, UNKNOWN, 0)).isEqualTo(UNKNOWN);
  }

  @Test
  void should_weigh_a_sample_by_the_time_since_the_one_before() {
    delay.answered(MILLISECOND, 0);
    delay.answered(3 * MILLISECOND, 50 * MILLISECOND);
    assertThat(delay.responseTimeNanos())
        .isCloseTo(MILLISECOND * (3 - 2 / Math.E), within(0.02 * MILLISECOND));

    delay.answered(9 * MILLISECOND, SECOND);
    assertThat(delay.responseTimeNanos()).isCloseTo(9.0 * MILLISECOND, within(0.02 * MILLISECOND));
  }

  @Test
  void should_add_the_wait_for_an_overdue_answer() {
    delay.answered(MILLISECOND, 0);
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
    delay.answered(MILLISECOND, 0);
    delay.sent(0);
    assertThat(delay.expectedNanos(0, UNKNOWN, SECOND)).isEqualTo(MILLISECOND);
    assertThat(delay.expectedNanos(1, UNKNOWN, SECOND)).isEqualTo(MILLISECOND);
  }

  @Test
  void should_claim_one_probe_in_an_interval_in_which_nothing_is_sent() {
    assertThat(delay.claimProbe(SECOND, 9 * SECOND)).as("never asked").isFalse();
    delay.sent(10 * SECOND);
    delay.answered(MILLISECOND, 10 * SECOND);
    assertThat(delay.claimProbe(SECOND, 11 * SECOND - 1)).isFalse();
    assertThat(delay.claimProbe(SECOND, 11 * SECOND)).isTrue();
    assertThat(delay.claimProbe(SECOND, 12 * SECOND - 1)).isFalse();
    assertThat(delay.claimProbe(SECOND, 12 * SECOND)).isTrue();
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
}
