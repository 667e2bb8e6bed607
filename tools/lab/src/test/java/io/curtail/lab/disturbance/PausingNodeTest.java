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
    assertThat(PauseCycle.SHORT.runLength()).hasSeconds(16);
    assertThat(PauseCycle.parse("2/3")).isEqualTo(PauseCycle.SHORT);
    assertThat(PauseCycle.parse("20/30").runLength()).hasSeconds(51);
    PauseCycle brief = PauseCycle.parse("0.2/1.8");
    assertThat(brief.pause()).hasMillis(200);
    assertThat(brief.runLength()).hasSeconds(15);
    assertThat(brief).hasToString("0.2 s of pause in 2 s");
  }

  @Test
  void should_refuse_a_cycle_without_a_pause() {
    for (String text : new String[] {"0/3", "0.00/3", "2", "2/-1", "a/b"}) {
      assertThatThrownBy(() -> PauseCycle.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("such as 2/3");
    }
  }
}
