/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InternodeFeedbackTest {
  @Test
  void should_read_what_it_wrote() {
    Feedback feedback = new Feedback(12, 31, 32, 1_234_500);
    byte[] bytes = InternodeFeedback.encode(feedback);
    assertThat(bytes).hasSize(InternodeFeedback.LENGTH);
    assertThat(InternodeFeedback.decode(bytes)).isEqualTo(feedback);
  }

  @Test
  void should_tell_the_most_that_fits_of_what_is_more() {
    Feedback decoded =
        InternodeFeedback.decode(
            InternodeFeedback.encode(
                new Feedback(Integer.MAX_VALUE, 70_000, 100_000, Long.MAX_VALUE)));
    assertThat(decoded).isEqualTo(new Feedback(65_535, 65_535, 65_535, 0xFFFF_FFFFL * 100));
  }

  @Test
  void should_take_what_it_cannot_read_for_no_feedback() {
    assertThat(InternodeFeedback.decode(null)).isNull();
    assertThat(InternodeFeedback.decode(new byte[0])).isNull();
    byte[] newer = InternodeFeedback.encode(new Feedback(1, 1, 1, 1));
    newer[0] = 2;
    assertThat(InternodeFeedback.decode(newer)).isNull();
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] garbage = new byte[random.nextInt(20)];
      random.nextBytes(garbage);
      InternodeFeedback.decode(garbage);
    }
  }
}
