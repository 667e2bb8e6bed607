/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopyTriesTest {
  private static final double SHARE = 0.02;
  private static final int FIRST_READS = 50;
  private static final int SOON = 6;
  private static final long DELAY_NANOS = 500_000;

  private final SecondCopyRule rule = new SecondCopyRule(SHARE, SHARE, 0.3);
  private final ReadTail tail = rule.newTail();
  private final CopyTries tries = new CopyTries(3);

  private void learn() {
    for (int i = 0; i < FIRST_READS; i++) {
      tail.onRead(false, DELAY_NANOS);
    }
  }

  private void spendBudget() {
    rule.onExtraWork(1_000_000_000_000L);
    assertThat(rule.hasRoom()).isFalse();
  }

  @Test
  void should_send_no_copy_and_not_try_again_until_it_is_known_how_long_reads_take() {
    for (int i = 0; i <= SOON; i++) {
      assertThat(tries.next(rule, tail)).isFalse();
      assertThat(tries.againNanos(tail)).isNegative();
    }
  }

  @Test
  void should_try_twice_for_each_replica_soon_and_then_later_and_later() {
    learn();
    for (int i = 1; i < SOON; i++) {
      assertThat(tries.next(rule, tail)).isTrue();
      assertThat(tries.againNanos(tail)).isEqualTo(DELAY_NANOS / 5);
      assertThat(tries.isLost()).isFalse();
    }
    assertThat(tries.next(rule, tail)).isTrue();
    assertThat(tries.isLost()).isTrue();
    assertThat(tries.made()).isEqualTo(SOON);
    assertThat(tries.againNanos(tail)).isEqualTo(DELAY_NANOS);
    assertThat(tries.next(rule, tail)).isTrue();
    assertThat(tries.againNanos(tail)).isEqualTo((long) (1.1 * DELAY_NANOS));
  }

  @Test
  void should_need_room_only_while_the_replica_that_has_the_read_is_not_lost() {
    learn();
    spendBudget();
    for (int i = 1; i <= SOON; i++) {
      assertThat(tries.next(rule, tail)).isFalse();
    }
    assertThat(tries.next(rule, tail)).isTrue();
  }

  @Test
  void should_end_some_time() {
    learn();
    int made = 0;
    do {
      assertThat(tries.next(rule, tail)).isTrue();
      made++;
    } while (tries.againNanos(tail) >= 0);
    assertThat(made).isEqualTo(SOON + 70);
  }
}
