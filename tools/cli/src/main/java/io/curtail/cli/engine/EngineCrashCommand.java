/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.option.EngineTrial;
import io.curtail.cli.option.Range;
import io.curtail.cli.option.SeedOption;
import io.curtail.engine.trials.TrialNode;
import io.curtail.engine.trials.crash.Crash;
import io.curtail.engine.trials.disk.PowerDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
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

  @Option(
      names = "--kills",
      defaultValue = "20",
      description = "Kills in each sync mode, 1 to 100,000.")
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
  void run(EngineTrial trial, TrialResults results) throws IOException {
    Range.check("--kills", kills, 1, 100_000);
    if (stock) {
      runStock(trial, results);
      return;
    }
    if (power && modes.has("periodic")) {
      throw new IllegalArgumentException(
          "--power: with sync periodic the last writes go with the power: add --sync batch,group");
    }
    modes.forEach(trial, results, power ? this::runWithPower : this::run);
  }

  private void runStock(EngineTrial trial, TrialResults results) throws IOException {
    if (modes.areGiven()) {
      throw new IllegalArgumentException("--stock: there is no engine whose log takes a --sync");
    }
    if (!trial.parameters().isEmpty()) {
      throw new IllegalArgumentException("--stock: there is no engine that takes a --parameter");
    }
    SyncModes.Mode none = new SyncModes.Mode("stock", results);
    TrialNode nodes = trial.node().stock();
    Path directory = trial.directory().resolve("stock");
    results.done(
        none.name(), power ? runWithPower(nodes, directory, none) : run(nodes, directory, none));
  }

  private TrialResult run(TrialNode nodes, Path directory, SyncModes.Mode mode) throws IOException {
    return run(new Crash(nodes, directory, seed.seed(), moves, mode::progress), mode);
  }

  private TrialResult runWithPower(TrialNode nodes, Path directory, SyncModes.Mode mode)
      throws IOException {
    try (PowerDisk disk = PowerDisk.make(directory)) {
      Path notes = directory.resolve("notes");
      return run(Crash.withPower(nodes, disk, notes, seed.seed(), moves, mode::progress), mode);
    }
  }

  private TrialResult run(Crash crash, SyncModes.Mode mode) throws IOException {
    mode.running(() -> result(crash.soFar()));
    return result(crash.run(kills, limit.seconds()));
  }

  private TrialResult result(Crash.Result result) {
    return result == null ? null : described(result);
  }

  private TrialResult described(Crash.Result result) {
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
