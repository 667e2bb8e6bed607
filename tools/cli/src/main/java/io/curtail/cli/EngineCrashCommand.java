/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.engine.trials.Crash;
import io.curtail.engine.trials.TrialNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail engine crash}. */
@Command(
    name = "crash",
    description = {
      "Kills a node under load with SIGKILL, starts it again and compares it with what was "
          + "answered, over and over.",
      "A kill leaves the operating system running: this says nothing of a loss of power."
    })
final class EngineCrashCommand extends EngineTrialCommand {
  @Mixin private TimeLimit limit;
  @Mixin private SyncModes modes;
  @Mixin private SeedOption seed;

  @Option(names = "--kills", defaultValue = "20", description = "In each sync mode, 1 to 100,000.")
  private int kills;

  @Option(
      names = "--moves",
      description =
          "Copy the tables out, alter them to Cassandra's memtable and back, all the time.")
  private boolean moves;

  @Override
  Map<String, TrialResult> run(EngineTrial trial, Output output) throws IOException {
    Range.check("--kills", kills, 1, 100_000);
    return modes.forEach(trial, output, this::run);
  }

  private TrialResult run(TrialNode nodes, Path directory, Consumer<String> progress)
      throws IOException {
    Crash.Result result =
        new Crash(nodes, directory, seed.seed(), moves, progress).run(kills, limit.seconds());
    return new TrialResult(
        result,
        String.format(
            Locale.ROOT,
            "%,d kills%s, %,d operations answered, %d failed",
            result.kills(),
            moves
                ? String.format(
                    Locale.ROOT, " (%,d while a table was copied out)", result.copying())
                : "",
            result.answered(),
            result.failures().size()),
        result.failures().isEmpty());
  }
}
