/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.engine.trials.TrialNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Repeats a trial of the engine in each sync mode of its log. */
final class SyncModes {
  @Option(
      names = "--sync",
      split = ",",
      defaultValue = "periodic,batch,group",
      description = "Sync modes of the engine's log to try.")
  private List<String> modes;

  /** A trial in one mode. */
  interface Trial {
    /**
     * Runs it.
     *
     * @param directory for its files, not there yet
     * @param progress takes lines for the user
     */
    TrialResult run(TrialNode nodes, Path directory, Consumer<String> progress) throws IOException;
  }

  boolean has(String mode) {
    return modes.contains(mode);
  }

  Map<String, TrialResult> forEach(EngineTrial settings, Output output, Trial trial)
      throws IOException {
    if (!List.of("periodic", "batch", "group").containsAll(modes)) {
      throw new IllegalArgumentException("--sync must be of periodic, batch and group");
    }
    Path directory = settings.directory();
    Map<String, TrialResult> results = new LinkedHashMap<>();
    for (String mode : modes) {
      String name = "sync " + mode;
      results.put(
          name,
          trial.run(
              settings.node(Map.of("sync", mode)),
              directory.resolve(mode),
              line -> output.progress(name + ": " + line)));
    }
    return results;
  }
}
