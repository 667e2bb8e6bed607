/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabStopCommandTest {
  /** Of a lab whose nodes have not been started, as a version with more to tell wrote it. */
  static final String WITHOUT_NODES =
      """
      {
        "name" : "sound", "cassandraVersion" : "5.0.9", "zones" : 1, "heapMebibytes" : 384,
        "networking" : "LOOPBACK", "raisedPriority" : false,
        "addresses" : { "second" : 77, "third" : 1 },
        "nodeCount" : 1, "coordinators" : 0, "nodes" : [ ]
      }
      """;

  private final Terminal terminal = new Terminal();

  @Test
  void should_stop_the_others_when_one_of_all_labs_cannot_be(@TempDir Path home)
      throws IOException {
    Path broken = lab(home, "broken", "{ \"name\" : ");
    Path other = lab(home, "other", "{ \"name\" : \"other\", \"networking\" : \"LOOPBACK\" }");
    Path sound = lab(home, "sound", WITHOUT_NODES);
    System.setProperty("curtail.home", home.toString());
    try {
      assertThat(terminal.run("lab stop --all")).isEqualTo(1);
    } finally {
      System.clearProperty("curtail.home");
    }
    assertThat(terminal.out().strip()).isEqualTo("stopped lab sound");
    assertThat(terminal.err().strip())
        .startsWith("curtail: not stopped: broken: ")
        .contains("broken/lab.json tells of no lab: ", "; other: ", "where its nodes are")
        .hasLineCount(1);
    assertThat(sound).doesNotExist();
    assertThat(List.of(broken, other)).allMatch(Files::exists);
  }

  static Path lab(Path home, String name, String state) throws IOException {
    Path directory = Files.createDirectories(home.resolve(".curtail/labs").resolve(name));
    return Files.writeString(directory.resolve("lab.json"), state);
  }
}
