/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.curtail.cli.Curtail;
import io.curtail.testnode.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A trial in a process of its own that a terminal's Ctrl-C ends, which all of its group get. */
class StoppedTrialTest {
  /**
   * By SIGTERM: SIGINT is ignored by what a shell has started in the background, as tests may be.
   */
  private static final int TERMINATED = 128 + 15;

  /** Of a lab of chaos and of streams. */
  private static final int NODES = 4;

  /** How long a lab waits for memory that other tests have. */
  private static final String PATIENCE = "curtail.memory.patience";

  /** And for its nodes. */
  private static final Duration MOST_WAITING = Duration.ofMinutes(13);

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
      stop(trial);
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

  @ParameterizedTest
  @CsvSource({"chaos --seed 51, run1/lab", "stream --rows 1000 --heap 256, 0-stock"})
  void should_end_the_nodes_of_a_lab_that_starts(String arguments, String lab) throws Exception {
    Path nodes = folder.resolve("nodes");
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(ChildJvm.command(Curtail.class, "engine"));
    String patience = "-D" + PATIENCE + "=" + System.getProperty(PATIENCE, "PT0S");
    command.add(command.indexOf("-cp"), patience);
    command.addAll(List.of(arguments.split(" ", -1)));
    command.addAll(List.of("--directory", nodes.toString()));
    Process trial =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("printed").toFile())
            .start();
    try {
      Path state = nodes.resolve(lab).resolve("lab.json");
      patiently()
          .atMost(MOST_WAITING)
          .until(() -> !trial.isAlive() || (Files.exists(state) && hasAllNodes(state)));
      assertThat(trial.isAlive()).isTrue();
      stop(trial);
      assertThat(trial.waitFor()).isEqualTo(TERMINATED);
    } finally {
      trial.destroyForcibly().waitFor();
    }
    await(() -> ProcessHandle.allProcesses().noneMatch(this::isInFolder));
    await(() -> !Files.readString(Path.of("/proc/mounts")).contains(folder.toString()));
  }

  private static boolean hasAllNodes(Path state) throws IOException {
    return new ObjectMapper().readTree(state.toFile()).get("nodes").size() == NODES;
  }

  private static void stop(Process trial) throws Exception {
    String group = "-" + trial.pid();
    assertThat(new ProcessBuilder("kill", "-TERM", "--", group).start().waitFor()).isZero();
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
