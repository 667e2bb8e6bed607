/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LostAnswersTest {
  private final LostAnswers answers = new LostAnswers();

  @Test
  void should_find_what_is_never_answered_lost_after_one_to_two_whiles() {
    look(0, 1);
    assertThat(look(256, LostAnswers.LOOKS)).isZero();
    assertThat(look(256, LostAnswers.LOOKS)).isEqualTo(256);
  }

  /** Of a node that is slower than the client is patient: 100 a second, each 1 to 3 s late. */
  @Test
  void should_not_count_what_the_node_answers_late() {
    Random random = new Random(1);
    int[] ending = new int[31];
    int unanswered = 0;
    for (int look = 0; look < 20 * LostAnswers.LOOKS; look++) {
      for (int request = 0; request < 20; request++) {
        if (random.nextBoolean()) {
          unanswered++;
          ending[(look + 10 + random.nextInt(20)) % ending.length]++;
        }
      }
      unanswered -= ending[look % ending.length];
      ending[look % ending.length] = 0;
      assertThat(answers.look(unanswered)).isZero();
    }
    assertThat(unanswered).isGreaterThan(150);
  }

  @Test
  void should_find_what_is_lost_among_what_is_answered_late() {
    int lost = 0;
    for (int i = 0; i < 3 * LostAnswers.LOOKS; i++) {
      lost = answers.look(100 + (i % 100 == 0 ? 1 : 0));
    }
    assertThat(lost).isBetween(95, 100);
  }

  @Test
  void should_forget_what_is_lost_with_its_connection() {
    look(256, 3 * LostAnswers.LOOKS);
    assertThat(answers.look(0)).isZero();
    assertThat(look(256, LostAnswers.LOOKS)).isZero();
  }

  @Test
  void should_not_take_what_comes_in_for_lost_before_its_time() {
    look(10, 3 * LostAnswers.LOOKS);
    assertThat(look(20, LostAnswers.LOOKS)).isEqualTo(10);
    assertThat(look(20, LostAnswers.LOOKS)).isEqualTo(20);
  }

  private int look(int unanswered, int times) {
    int lost = 0;
    for (int i = 0; i < times; i++) {
      lost = answers.look(unanswered);
    }
    return lost;
  }
}
