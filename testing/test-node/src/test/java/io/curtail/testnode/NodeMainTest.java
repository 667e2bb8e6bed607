/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child node whose parent is gone: its input has ended. */
class NodeMainTest {
  @TempDir private Path folder;

  @Test
  void should_end_when_its_input_ends_while_it_starts() throws IOException, InterruptedException {
    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    NodeSettings settings = new NodeSettings(folder.resolve("node"));
    List<String> command = new ArrayList<>(List.of(ChildJvm.java()));
    command.addAll(NodeFlags.all());
    settings.write().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-Djava.io.tmpdir=" + unpacked, "-cp", settings.classPath()));
    command.addAll(List.of(NodeMain.class.getName(), settings.directory().toString()));
    command.add(unpacked.toString());
    File answers = folder.resolve("answers").toFile();
    Process node =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(answers)
            .redirectError(folder.resolve("errors").toFile())
            .start();
    try {
      assertThat(node.waitFor()).isZero();
    } finally {
      node.destroyForcibly().waitFor();
    }
    assertThat(answers).isEmpty();
    assertThat(unpacked).doesNotExist();
  }
}
