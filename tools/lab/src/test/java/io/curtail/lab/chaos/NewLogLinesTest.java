/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewLogLinesTest {
  private static final String STREAMS =
      "INFO  [main] [Stream #1] Executing streaming plan for Bootstrap\n";

  @TempDir private Path directory;

  @Test
  void should_tell_of_streams_only_when_they_begin_later() throws Exception {
    Path file = Files.writeString(directory.resolve("system.log"), STREAMS);
    NewLogLines lines = new NewLogLines(file);
    assertThat(lines.tellOfStreams()).isFalse();
    Files.writeString(file, STREAMS, StandardOpenOption.APPEND);
    assertThat(lines.tellOfStreams()).isTrue();
    assertThat(lines.tellOfLeaving()).isFalse();
  }

  @Test
  void should_tell_nothing_when_the_node_has_no_log_yet() throws Exception {
    NewLogLines lines = new NewLogLines(directory.resolve("system.log"));
    assertThat(lines.tellOfStreams()).isFalse();
    Files.writeString(directory.resolve("system.log"), STREAMS);
    assertThat(lines.tellOfStreams()).isTrue();
  }
}
