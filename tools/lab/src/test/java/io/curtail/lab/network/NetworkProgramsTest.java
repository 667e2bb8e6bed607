/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkProgramsTest {
  @TempDir private Path directory;

  @Test
  void should_write_the_script_anew_when_an_older_one_is_there() throws IOException {
    Files.writeString(directory.resolve("zone-network.sh"), "exit 1");
    Path script = NetworkPrograms.script(directory);
    try (InputStream ours = NetworkPrograms.class.getResourceAsStream("zone-network.sh")) {
      assertThat(script).hasBinaryContent(ours.readAllBytes());
    }
    assertThat(directory.toFile().list()).containsExactly("zone-network.sh");
  }

  @Test
  void should_end_a_network_with_the_script_that_made_it() throws IOException {
    Path old = Files.writeString(directory.resolve("zone-network.sh"), "exit 1");
    assertThat(NetworkPrograms.scriptOf(directory)).isEqualTo(old).hasContent("exit 1");
    Files.delete(old);
    assertThat(NetworkPrograms.scriptOf(directory)).exists();
  }
}
