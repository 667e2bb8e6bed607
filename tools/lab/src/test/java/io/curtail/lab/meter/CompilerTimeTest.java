/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class CompilerTimeTest {
  @Test
  void should_count_part_of_what_the_process_uses() throws IOException {
    long compilers = CompilerTime.nanos(ProcessHandle.current().pid());
    long all =
        ProcessHandle.current().info().totalCpuDuration().orElseThrow().plusMillis(20).toNanos();
    assertThat(compilers).isBetween(1L, all);
  }

  @Test
  void should_say_so_when_there_is_no_such_process() {
    assertThatThrownBy(() -> CompilerTime.nanos(Long.MAX_VALUE)).isInstanceOf(IOException.class);
  }
}
