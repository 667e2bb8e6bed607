/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.engine.trials.Crash;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
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
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class EngineCrashCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private EngineTrial trial;

  @Option(names = "--kills", defaultValue = "20", description = "In each sync mode, 1 to 100,000.")
  private int kills;

  @Option(
      names = "--sync",
      split = ",",
      defaultValue = "periodic,batch,group",
      description = "Sync modes of the engine's log to try.")
  private List<String> modes;

  @Option(names = "--seed", defaultValue = "1", description = "Of the moments of the kills.")
  private long seed;

  @Override
  public Integer call() throws IOException {
    if (kills < 1 || kills > 100_000) {
      throw new IllegalArgumentException("--kills must be from 1 to 100,000");
    }
    EngineTrial.checkSyncModes(modes);
    PrintWriter out = spec.commandLine().getOut();
    boolean failed = false;
    for (String mode : modes) {
      Crash crash =
          new Crash(
              trial.node(Map.of("sync", mode)),
              trial.directory().resolveSibling(mode + "-" + System.nanoTime()),
              seed,
              line -> {
                out.println("sync " + mode + ": " + line);
                out.flush();
              });
      Crash.Result result = crash.run(kills, trial.seconds());
      out.println(
          String.format(
              Locale.ROOT,
              "sync %s: %,d kills, %,d operations answered, %d failed",
              mode,
              result.kills(),
              result.answered(),
              result.failures().size()));
      out.flush();
      failed |= !result.failures().isEmpty();
    }
    return failed ? 1 : 0;
  }
}
