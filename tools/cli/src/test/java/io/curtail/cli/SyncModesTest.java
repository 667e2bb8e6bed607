/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class SyncModesTest {
  @TempDir private Path folder;

  /** A trial that fails in the second mode, as where a node refuses to start. */
  @Command(name = "failing")
  static final class Failing extends EngineTrialCommand {
    @Mixin private SyncModes modes;

    @Override
    Map<String, TrialResult> run(EngineTrial trial, Output output) throws IOException {
      return modes.forEach(
          trial,
          output,
          (nodes, directory, progress) -> {
            if (directory.endsWith("batch")) {
              throw new IllegalStateException("the node did not start");
            }
            return new TrialResult(directory.toString(), "well", true);
          });
    }
  }

  @Test
  void should_keep_the_results_of_other_modes_when_one_cannot_be_run() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new Failing())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("--directory", folder.resolve("trial").toString());
    assertThat(code).isEqualTo(1);
    assertThat(out.toString().lines())
        .containsExactly(
            "sync periodic: well",
            "sync batch: it could not be run: the node did not start",
            "sync group: well");
    assertThat(err.toString()).startsWith("sync batch: it could not be run");
  }
}
