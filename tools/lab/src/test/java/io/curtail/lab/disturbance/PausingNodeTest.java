/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.disturbance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.lab.disturbance.Disturbance.Span;
import io.curtail.lab.experiment.PauseCycle;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PausingNodeTest {
  @Test
  void should_run_before_it_pauses() {
    PausingNode pauses = new PausingNode(Duration.ofSeconds(2), Duration.ofSeconds(3));
    assertThat(pauses.spans(Duration.ofSeconds(11)))
        .containsExactly(new Span(3, 5), new Span(8, 10));
    assertThat(pauses.beginSeconds()).isEqualTo(3);
  }

  @Test
  void should_leave_room_after_the_last_pause() {
    assertThat(PauseCycle.SHORT.runSeconds()).isEqualTo(16);
    assertThat(PauseCycle.TALK.runSeconds()).isEqualTo(51);
    assertThat(PauseCycle.parse("2/3")).isEqualTo(PauseCycle.SHORT);
    assertThat(PauseCycle.parse("20/30")).isEqualTo(PauseCycle.TALK);
  }

  @Test
  void should_refuse_a_cycle_without_a_pause() {
    for (String text : new String[] {"0/3", "2", "2/-1", "a/b"}) {
      assertThatThrownBy(() -> PauseCycle.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("such as 2/3");
    }
  }
}
