/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.cli.option.EngineTrial;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class SyncModesTest {
  @TempDir private Path folder;

  /** A trial that fails after the first mode, as where a node refuses to start. */
  @Command(name = "failing")
  static final class Failing extends EngineTrialCommand {
    @Mixin private SyncModes modes;

    @Override
    void run(EngineTrial trial, TrialResults results) throws IOException {
      modes.forEach(
          trial,
          results,
          (nodes, directory, mode) -> {
            if (directory.endsWith("batch")) {
              mode.running(() -> new TrialResult(170, "170 kills", true));
              throw new IllegalStateException("the node did not start");
            }
            if (directory.endsWith("group")) {
              mode.running(() -> null);
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
            "sync batch: it could not be run: the node did not start; before: 170 kills",
            "sync group: it could not be run: the node did not start");
    assertThat(err.toString()).startsWith("sync batch: it could not be run");
  }
}
