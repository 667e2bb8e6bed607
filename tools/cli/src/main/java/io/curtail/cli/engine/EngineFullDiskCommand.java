/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.option.EngineTrial;
import io.curtail.engine.trials.TrialNode;
import io.curtail.engine.trials.disk.FullDisk;
import io.curtail.engine.trials.disk.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail engine full-disk}. */
@Command(
    name = "full-disk",
    description = {
      "Fills the disk that RocksDB is on, then makes room: writes must be refused meanwhile and go "
          + "on by themselves, reads must go on, and after a kill all acknowledged rows be there.",
      "Mounts a file system of 64 MiB in memory, which root may do, unless one is given."
    })
final class EngineFullDiskCommand extends EngineTrialCommand {
  @Mixin private SyncModes modes;

  @Option(
      names = "--disk",
      paramLabel = "DIR",
      description = "A file system of at most 1 GiB to fill, instead of one in memory.")
  private Path disk;

  @Override
  void run(EngineTrial trial, TrialResults results) throws IOException {
    trial.refuse("path", "say --disk");
    modes.forEach(trial, results, this::run);
  }

  private TrialResult run(TrialNode nodes, Path directory, SyncModes.Mode mode) throws IOException {
    try (SmallDisk small =
        disk == null ? SmallDisk.mount(directory.resolve("small-disk")) : SmallDisk.of(disk)) {
      FullDisk.Result result =
          new FullDisk(nodes, directory.resolve("node"), small, mode::progress).run();
      return new TrialResult(
          result,
          String.format(
              Locale.ROOT,
              "%,d rows acknowledged, all there after a kill: %s; %d refused, of them there: %d",
              result.acknowledged(),
              result.failures().isEmpty() ? "yes" : "no, " + result.failures(),
              result.refused(),
              result.refusedThere()),
          result.failures().isEmpty());
    }
  }
}
