/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryLimitTest {
  private static final long BYTES = 128 << 20;

  private Process process;

  @BeforeEach
  void startProcess() throws IOException {
    process = new ProcessBuilder("sleep", "600").start();
  }

  @AfterEach
  void endProcess() {
    process.destroyForcibly();
  }

  @Test
  void should_hold_a_process_in_a_group_of_its_own_or_say_why_not() throws Exception {
    if (MemoryLimit.unavailable() != null) {
      assertThatThrownBy(() -> MemoryLimit.start(process.pid(), BYTES))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("no memory limit here: ");
      return;
    }
    Path before = group();
    MemoryLimit limit = MemoryLimit.start(process.pid(), BYTES);
    Path limited = group();
    assertThat(limited).isEqualTo(before.resolve("curtail-" + process.pid()));
    assertThat(Long.parseLong(Files.readString(limited.resolve("memory.limit_in_bytes")).strip()))
        .isBetween(BYTES / 2, BYTES);
    limit.close();
    assertThat(group()).isEqualTo(before);
    assertThat(limited).doesNotExist();
    MemoryLimit ofTheDead = MemoryLimit.start(process.pid(), BYTES);
    process.destroyForcibly().waitFor();
    assertThat(limited).exists();
    ofTheDead.close();
    assertThat(limited).doesNotExist();
  }

  private Path group() throws IOException {
    return MemoryLimit.group(process.pid());
  }
}
