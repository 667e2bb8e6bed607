/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.selection.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecondCopyRuleTest {
  private static final double SHARE = 0.02;
  private static final int FIRST_READS = 50;

  private final SecondCopyRule rule = new SecondCopyRule(SHARE, SHARE, 0.3);
  private final ReadTail tail = rule.newTail();

  @Test
  void should_begin_with_the_slowest_of_the_first_reads() {
    for (int i = 1; i < FIRST_READS; i++) {
      tail.onRead(false, i == 7 ? 900 : 500);
      assertThat(tail.delayNanos()).isNegative();
    }
    tail.onRead(false, 500_000);
    assertThat(tail.delayNanos()).isEqualTo(500_000);
  }

  /** In the first minute as much as later, whether reads take microseconds or seconds. */
  @ParameterizedTest
  @ValueSource(doubles = {1e5, 4e6, 2e8})
  void should_keep_to_its_share_from_the_first_read_on(double meanNanos) {
    RandomSource random = RandomSource.seeded(3);
    int due = 0;
    int reads = 1_000;
    for (int i = 0; i < reads; i++) {
      long elapsed = (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
      boolean slow = tail.delayNanos() >= 0 && elapsed > tail.delayNanos();
      due += slow ? 1 : 0;
      tail.onRead(slow, elapsed);
    }
    assertThat(due).isLessThanOrEqualTo((int) (1.5 * SHARE * reads));
  }

  /** As after a pause of the client or of a server, with many reads under way. */
  @Test
  void should_wait_for_twice_the_slowest_of_reads_that_were_slow_together_at_most() {
    firstReads(1_000_000);
    for (int i = 0; i < 500; i++) {
      tail.onRead(true, 2_000_000_000);
    }
    assertThat(tail.delayNanos()).isBetween(2_000_000_000L, 4_200_000_000L);
  }

  /** A server that stood still with 32 copies in its threads took long, but did not work. */
  @Test
  void should_send_copies_again_soon_after_a_server_stood_still_with_some() {
    firstReads(1_000_000);
    for (int i = 0; i < 32; i++) {
      rule.onExtraWork(5_000_000_000L);
    }
    assertThat(rule.hasRoom()).isFalse();
    for (int i = 0; i < 60_000; i++) {
      rule.onWork(1_000_000);
    }
    assertThat(rule.hasRoom()).isTrue();
  }

  private void firstReads(long elapsedNanos) {
    for (int i = 0; i < FIRST_READS; i++) {
      tail.onRead(false, elapsedNanos);
    }
    assertThat(tail.delayNanos()).isEqualTo(elapsedNanos);
  }

  @Test
  void should_refuse_shares_out_of_range() {
    assertThatThrownBy(() -> new SecondCopyRule(0, SHARE, 0.3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SecondCopyRule(1, SHARE, 0.3))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
