/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardTest {
  private static final long SECOND = 1_000_000_000L;
  private final List<String> reasons = new ArrayList<>();
  private long now;
  private final Guard guard = new Guard(() -> now, reasons::add);

  @Test
  void should_switch_off_after_repeated_errors() {
    for (int i = 0; i < Guard.LIMIT - 1; i++) {
      guard.failed("testing", new IllegalStateException("boom"));
    }
    assertThat(reasons).isEmpty();
    guard.failed("testing", new IllegalStateException("boom"));
    assertThat(reasons).hasSize(1).first().asString().contains("testing").contains("boom");
    assertThat(guard.errors()).isEqualTo(Guard.LIMIT);
  }

  @Test
  void should_stay_on_when_errors_are_rare() {
    for (int i = 0; i < 10 * Guard.LIMIT; i++) {
      now = 10L * i * SECOND;
      guard.failed("testing", new IllegalStateException("boom"));
    }
    assertThat(reasons).isEmpty();
  }
}
