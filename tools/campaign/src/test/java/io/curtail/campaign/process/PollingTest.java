/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollingTest {
  private static final Duration LONG = Duration.ofDays(1);

  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void should_ask_until_it_holds() throws Exception {
    assertThat(Polling.holds(LONG, Duration.ZERO, () -> asked.incrementAndGet() == 3)).isTrue();
    assertThat(asked).hasValue(3);
  }

  @Test
  void should_say_why_when_there_is_no_time_left() throws Exception {
    assertThat(Polling.holds(Duration.ZERO, Duration.ZERO, () -> false)).isFalse();
    assertThatThrownBy(
            () ->
                Polling.until(Duration.ZERO, Duration.ZERO, () -> false, () -> "node 2 is silent"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("node 2 is silent");
  }

  @Test
  void should_end_with_an_interrupt_and_keep_it() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> Polling.await("a client connects", LONG, LONG, () -> false, () -> "never"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("interrupted while a client connects");
    assertThat(Thread.interrupted()).isTrue();
  }
}
