/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFileTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("file");
    Files.writeString(
        file, "flags\nmodel\t\t: 142\nmodel name\t: A: fast\nmodel name\t: B\nVmRSS:\t   12 kB\n");
  }

  @Test
  void should_say_what_the_first_line_with_that_key_says() throws IOException {
    assertThat(ProcFile.value(file, "model name")).isEqualTo("A: fast");
    assertThat(ProcFile.bytes(file, "VmRSS")).isEqualTo(12 << 10);
  }

  @Test
  void should_say_that_there_is_no_such_line() {
    assertThatThrownBy(() -> ProcFile.value(file, "Vm"))
        .isInstanceOf(IOException.class)
        .hasMessage("no Vm in " + file);
  }
}
