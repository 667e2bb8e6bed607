/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.selection.Feedback;
import org.junit.jupiter.api.Test;

class HeardTest {
  private static final long SECOND = 1_000_000_000;

  private final Heard heard = new Heard();

  @Test
  void should_know_the_latest_answer_only() {
    assertThat(heard.isWithin(Long.MAX_VALUE, SECOND)).isFalse();
    heard.answered(SECOND);
    heard.answered(3 * SECOND);
    assertThat(heard.isWithin(SECOND, 4 * SECOND)).isTrue();
    assertThat(heard.isWithin(SECOND, 4 * SECOND + 1)).isFalse();
  }

  @Test
  void should_believe_the_latest_report_for_a_second() {
    assertThat(heard.report(SECOND)).isNull();
    heard.reported(new Feedback(9, 1, 32, SECOND), SECOND);
    Feedback latest = new Feedback(0, 1, 32, SECOND);
    heard.reported(latest, 3 * SECOND);
    assertThat(heard.report(4 * SECOND)).isSameAs(latest);
    assertThat(heard.report(4 * SECOND + 1)).isNull();
  }
}
