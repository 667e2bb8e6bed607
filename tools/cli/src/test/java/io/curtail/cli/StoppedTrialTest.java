/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.curtail.testnode.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A trial in a process of its own that a terminal's Ctrl-C ends, which all of its group get. */
class StoppedTrialTest {
  /**
   * By SIGTERM: SIGINT is ignored by what a shell has started in the background, as tests may be.
   */
  private static final int TERMINATED = 128 + 15;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  void should_print_and_keep_the_kills_that_were_checked() throws Exception {
    Path printed = folder.resolve("printed");
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(ChildJvm.command(Curtail.class, "engine", "crash", "--sync", "group", "--json"));
    command.add(command.indexOf("-cp"), "-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("--kills", "100000", "--out", folder.resolve("out").toString()));
    command.addAll(List.of("--directory", folder.resolve("nodes").toString()));
    Process trial = new ProcessBuilder(command).redirectOutput(printed.toFile()).start();
    try (BufferedReader progress = trial.errorReader()) {
      String line = progress.readLine();
      while (line != null && !line.contains(" 2 kills, ")) {
        line = progress.readLine();
      }
      assertThat(line).isNotNull();
      for (ProcessHandle node : trial.children().toList()) {
        assertThat(session(node)).isEqualTo(node.pid());
      }
      String group = "-" + trial.pid();
      assertThat(new ProcessBuilder("kill", "-TERM", "--", group).start().waitFor()).isZero();
      assertThat(progress.lines().toList()).contains("stopped; so far this was found");
      assertThat(trial.waitFor()).isEqualTo(TERMINATED);
    } finally {
      trial.destroyForcibly().waitFor();
    }
    // Its node ends by itself, a moment later.
    await(() -> ProcessHandle.allProcesses().noneMatch(this::isInFolder));
    assertThat(temporary).isDirectoryNotContaining("glob:**/curtail-node-*");
    JsonNode report = new ObjectMapper().readTree(printed.toFile());
    assertThat(report.get("interrupted").asBoolean()).isTrue();
    JsonNode result = report.get("results").get("sync group");
    assertThat(result.get("kills").asInt()).isBetween(1, 2);
    assertThat(result.get("answered").asLong()).isPositive();
    assertThat(result.get("failures")).isEmpty();
    assertThat(folder.resolve("out/engine-crash.json")).hasSameTextualContentAs(printed);
  }

  private boolean isInFolder(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(folder.toString());
  }

  private static long session(ProcessHandle process) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return Long.parseLong(fields.get(3));
  }
}
