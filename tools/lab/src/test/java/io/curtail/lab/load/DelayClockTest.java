/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DelayClockTest {
  private final DelayClock clock = new DelayClock();

  @Test
  void should_ring_earlier_when_the_timer_is_late() {
    for (int i = 0; i < 1000; i++) {
      clock.record(60_000 - clock.leadNanos(), true);
    }
    assertThat(clock.leadNanos()).isBetween(58_000L, 62_000L);
  }

  @Test
  void should_tell_late_from_early() {
    for (int i = 1; i <= 100; i++) {
      clock.record((i - 50) * 10_000L, false);
    }
    DelayError errors = clock.takeErrors();
    assertThat(errors.count()).isEqualTo(100);
    assertThat(errors.percentileMicros(50)).isBetween(-10L, 10L);
    assertThat(errors.percentileMicros(99)).isBetween(480L, 500L);
    assertThat(errors.percentileMicros(1)).isBetween(-491L, -470L);
    assertThat(errors.shareLaterThan(400)).isEqualTo(0.1);
    assertThat(clock.takeErrors().count()).isZero();
  }
}
