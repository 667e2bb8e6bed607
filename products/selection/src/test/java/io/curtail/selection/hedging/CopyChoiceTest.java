/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.hedging.Hedging.Verdict;
import org.junit.jupiter.api.Test;

class CopyChoiceTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long NOW = 2_010 * MILLISECOND;

  private final Hedging hedging = new Hedging(0.02);
  private final ReplicaTail silent = answeringIn(2);
  private final ReplicaTail quick = answeringIn(2);
  private final ReplicaTail slow = answeringIn(4);
  private final CopyChoice choice = new CopyChoice(hedging, 20 * MILLISECOND, NOW);

  private ReplicaTail answeringIn(long millis) {
    ReplicaTail tail = hedging.newTail();
    for (long answer = 1; answer <= 200; answer++) {
      hedging.answered(tail, millis * MILLISECOND, false, answer * 10 * MILLISECOND);
    }
    return tail;
  }

  @Test
  void should_choose_the_one_that_answers_first() {
    choice.offer(1, slow, 0, false, 0, 1);
    choice.offer(2, quick, 0, false, 0, 1);
    assertThat(choice.verdict(silent)).isEqualTo(Verdict.COPY);
    assertThat(choice.best()).isEqualTo(2);
  }

  @Test
  void should_weigh_the_queue_and_the_distance() {
    choice.offer(1, quick, 0, false, 3, 1);
    choice.offer(2, quick, 0, false, 0, 4.5F);
    choice.offer(3, slow, 0, false, 0, 1);
    assertThat(choice.verdict(silent)).isEqualTo(Verdict.COPY);
    assertThat(choice.best()).isEqualTo(3);
  }

  @Test
  void should_choose_nobody_who_fails_or_owes_an_answer() {
    choice.offer(1, quick, 0, true, 0, 1);
    choice.offer(2, quick, 1e9, false, 1, 1);
    assertThat(choice.verdict(silent)).isEqualTo(Verdict.NO_ROOM);
  }

  /** Nobody asks it, so it could never show that it is not slow. */
  @Test
  void should_take_the_latest_answer_for_chance_when_it_is_long_ago() {
    hedging.answered(quick, 200 * MILLISECOND, false, NOW);
    choice.offer(1, quick, 0, false, 0, 1);
    assertThat(choice.verdict(silent)).isEqualTo(Verdict.NO_ROOM);
    CopyChoice later = new CopyChoice(hedging, 20 * MILLISECOND, NOW + 10_001 * MILLISECOND);
    later.offer(1, quick, 0, false, 0, 1);
    assertThat(later.verdict(silent)).isEqualTo(Verdict.COPY);
  }

  @Test
  void should_say_when_it_is_too_early() {
    CopyChoice early = new CopyChoice(hedging, MILLISECOND, NOW);
    early.offer(1, slow, 0, false, 0, 1);
    assertThat(early.verdict(silent)).isEqualTo(Verdict.TOO_EARLY);
    assertThat(silent.delayNanos())
        .as("not before the other could have answered")
        .isGreaterThanOrEqualTo(4 * MILLISECOND);
  }

  @Test
  void should_choose_nobody_when_none_is_offered() {
    assertThat(choice.verdict(silent)).isEqualTo(Verdict.NO_ROOM);
  }
}
