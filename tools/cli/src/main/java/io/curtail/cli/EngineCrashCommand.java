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
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code curtail engine crash}. */
@Command(
    name = "crash",
    description = {
      "Kills a node under load with SIGKILL, starts it again and compares it with what was "
          + "answered, over and over.",
      "A kill leaves the operating system running: this says nothing of a loss of power."
    })
final class EngineCrashCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private EngineTrial trial;
  @Mixin private TimeLimit limit;
  @Mixin private SyncModes modes;

  @Option(names = "--kills", defaultValue = "20", description = "In each sync mode, 1 to 100,000.")
  private int kills;

  @Option(names = "--seed", defaultValue = "1", description = "Of the moments of the kills.")
  private long seed;

  @Override
  public Integer call() throws IOException {
    if (kills < 1 || kills > 100_000) {
      throw new IllegalArgumentException("--kills must be from 1 to 100,000");
    }
    return modes.forEach(trial, spec.commandLine().getOut(), this::run);
  }

  private boolean run(TrialNode nodes, Path directory, Consumer<String> progress)
      throws IOException {
    Crash.Result result = new Crash(nodes, directory, seed, progress).run(kills, limit.seconds());
    progress.accept(
        String.format(
            Locale.ROOT,
            "%,d kills, %,d operations answered, %d failed",
            result.kills(),
            result.answered(),
            result.failures().size()));
    return result.failures().isEmpty();
  }
}
