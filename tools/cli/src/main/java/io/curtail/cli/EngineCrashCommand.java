/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.engine.trials.Crash;
import io.curtail.engine.trials.PowerDisk;
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
      "A kill leaves the operating system running; with --power each is a loss of power: what the "
          + "disk does not have yet is gone, and all that was answered must be there."
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

  @Option(
      names = "--power",
      description =
          "Losses of power in place of kills, with --sync batch,group. Takes root, mkfs.ext4 and "
              + "Perl.")
  private boolean power;

  @Option(
      names = "--stock",
      description =
          "Once without the engine, tables on memtables of Cassandra: whose is a fault? Its commit "
              + "log is synced before a write is answered.")
  private boolean stock;

  @Override
  Map<String, TrialResult> run(EngineTrial trial, Output output) throws IOException {
    Range.check("--kills", kills, 1, 100_000);
    if (stock) {
      return Map.of("stock", runStock(trial, output));
    }
    if (power && modes.has("periodic")) {
      throw new IllegalArgumentException(
          "--power: with sync periodic the last writes go with the power: add --sync batch,group");
    }
    return modes.forEach(trial, output, power ? this::runWithPower : this::run);
  }

  private TrialResult runStock(EngineTrial trial, Output output) throws IOException {
    if (modes.areGiven()) {
      throw new IllegalArgumentException("--stock: there is no engine whose log takes a --sync");
    }
    if (!trial.parameters().isEmpty()) {
      throw new IllegalArgumentException("--stock: there is no engine that takes a --parameter");
    }
    Consumer<String> progress = line -> output.progress("stock: " + line);
    TrialNode nodes = trial.node(Map.of()).stock();
    Path directory = trial.directory().resolve("stock");
    return power ? runWithPower(nodes, directory, progress) : run(nodes, directory, progress);
  }

  private TrialResult run(TrialNode nodes, Path directory, Consumer<String> progress)
      throws IOException {
    return result(
        new Crash(nodes, directory, seed.seed(), moves, progress).run(kills, limit.seconds()));
  }

  private TrialResult runWithPower(TrialNode nodes, Path directory, Consumer<String> progress)
      throws IOException {
    try (PowerDisk disk = PowerDisk.make(directory)) {
      return result(
          Crash.withPower(nodes, disk, directory.resolve("notes"), seed.seed(), moves, progress)
              .run(kills, limit.seconds()));
    }
  }

  private TrialResult result(Crash.Result result) {
    return new TrialResult(
        result,
        String.format(
            Locale.ROOT,
            "%,d "
                + (power ? "losses of power" : "kills")
                + "%s, %,d operations answered, %d failed%s",
            result.kills(),
            moves
                ? String.format(
                    Locale.ROOT, " (%,d while a table was copied out)", result.copying())
                : "",
            result.answered(),
            result.failures().size(),
            result.endedByCassandra().isEmpty()
                ? ""
                : "; then Cassandra did not start: " + result.endedByCassandra()),
        result.failures().isEmpty());
  }
}
