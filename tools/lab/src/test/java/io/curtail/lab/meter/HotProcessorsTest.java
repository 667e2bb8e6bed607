/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Two clusters at once are one lab: what spins for one is not foreign to the other. */
class HotProcessorsTest {
  @Test
  void should_spin_once_for_all_until_the_last_has_ended() {
    long before = children();
    HotProcessors first = HotProcessors.start();
    await(() -> first.cpuNanos() > 0 || children() <= before);
    long spinning = children(); // none where there is no chrt
    HotProcessors second = HotProcessors.start();
    assertThat(second).isSameAs(first);
    assertThat(children()).isEqualTo(spinning);
    first.close();
    if (spinning > before) {
      long nanos = second.cpuNanos();
      await(() -> second.cpuNanos() > nanos);
    }
    second.close();
    await(() -> children() <= before);
    HotProcessors.start().close();
    await(() -> children() <= before);
  }

  private static long children() {
    return ProcessHandle.current().children().count();
  }
}
