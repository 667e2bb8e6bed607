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
  private static final List<String> ALL = List.of("periodic", "batch", "group");

  @Option(
      names = "--sync",
      split = ",",
      description = "Sync modes of the engine's log to try; periodic,batch,group if not given.")
  private List<String> given;

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

  boolean areGiven() {
    return given != null;
  }

  boolean has(String mode) {
    return modes().contains(mode);
  }

  private List<String> modes() {
    return given == null ? ALL : given;
  }

  Map<String, TrialResult> forEach(EngineTrial settings, Output output, Trial trial)
      throws IOException {
    if (!ALL.containsAll(modes())) {
      throw new IllegalArgumentException("--sync must be of periodic, batch and group");
    }
    Path directory = settings.directory();
    Map<String, TrialResult> results = new LinkedHashMap<>();
    for (String mode : modes()) {
      String name = "sync " + mode;
      TrialNode node = settings.node(Map.of("sync", mode));
      Consumer<String> progress = line -> output.progress(name + ": " + line);
      results.put(name, result(trial, node, directory.resolve(mode), progress));
    }
    return results;
  }

  /** What the other modes have found in hours is not lost with one that no node starts for. */
  private static TrialResult result(
      Trial trial, TrialNode node, Path directory, Consumer<String> progress) {
    try {
      return trial.run(node, directory, progress);
    } catch (IOException | IllegalStateException e) {
      String why = "it could not be run: " + e.getMessage();
      progress.accept(why);
      return new TrialResult(Map.of("failure", why), why, false);
    }
  }
}
