/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.engine.trials.FullDisk;
import io.curtail.engine.trials.SmallDisk;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code curtail engine full-disk}. */
@Command(
    name = "full-disk",
    description = {
      "Fills the disk that RocksDB is on, then makes room: writes must be refused meanwhile and go "
          + "on by themselves, reads must go on, and after a kill all acknowledged rows be there.",
      "Mounts a file system of 64 MiB in memory, which root may do, unless one is given."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class EngineFullDiskCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private EngineTrial trial;

  @Option(
      names = "--disk",
      paramLabel = "DIRECTORY",
      description = "An empty file system of at most 1 GiB to fill, instead of one in memory.")
  private Path disk;

  @Option(
      names = "--sync",
      split = ",",
      defaultValue = "periodic,batch,group",
      description = "Sync modes of the engine's log to try.")
  private List<String> modes;

  @Override
  public Integer call() throws IOException {
    EngineTrial.checkSyncModes(modes);
    PrintWriter out = spec.commandLine().getOut();
    boolean failed = false;
    for (String mode : modes) {
      Path directory = trial.directory().resolveSibling(mode + "-" + System.nanoTime());
      try (SmallDisk small = smallDisk(directory.resolve("small-disk"))) {
        FullDisk.Result result =
            new FullDisk(
                    trial.node(Map.of("sync", mode)),
                    directory.resolve("node"),
                    small,
                    line -> say(out, mode, line))
                .run();
        say(
            out,
            mode,
            String.format(
                Locale.ROOT,
                "%,d rows acknowledged, all there after a kill: %s; %d refused, of them there: %d",
                result.acknowledged(),
                result.failures().isEmpty() ? "yes" : "no, " + result.failures(),
                result.refused(),
                result.refusedThere()));
        failed |= !result.failures().isEmpty();
      }
    }
    return failed ? 1 : 0;
  }

  private SmallDisk smallDisk(Path directory) throws IOException {
    return disk == null ? SmallDisk.mount(directory) : SmallDisk.of(disk);
  }

  private static void say(PrintWriter out, String mode, String line) {
    out.println("sync " + mode + ": " + line);
    out.flush();
  }
}
