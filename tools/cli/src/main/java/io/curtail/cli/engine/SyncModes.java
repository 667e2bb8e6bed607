/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.option.EngineTrial;
import io.curtail.engine.trials.TrialNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Repeats a trial of the engine in each sync mode of its log. */
final class SyncModes {
  private static final List<String> ALL = List.of("periodic", "batch", "group");

  /** Of the memtable. */
  private static final String PARAMETER = "sync";

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
     * @param mode takes lines for the user, and what is found on the way
     */
    TrialResult run(TrialNode nodes, Path directory, Mode mode) throws IOException;
  }

  /** One of them, while it runs. */
  record Mode(String name, TrialResults results) {
    void progress(String line) {
      results.progress(name + ": " + line);
    }

    void running(Supplier<TrialResult> soFar) {
      results.running(name, soFar);
    }
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

  void forEach(EngineTrial settings, TrialResults results, Trial trial) throws IOException {
    if (!ALL.containsAll(modes())) {
      throw new IllegalArgumentException("--sync must be of periodic, batch and group");
    }
    if (settings.parameters().containsKey(PARAMETER)) {
      throw new IllegalArgumentException(
          "--parameter: for this one say --sync " + settings.parameters().get(PARAMETER));
    }
    Path directory = settings.directory();
    for (String sync : modes()) {
      Mode mode = new Mode("sync " + sync, results);
      TrialNode node = settings.node().with(PARAMETER, sync);
      try {
        results.done(mode.name, trial.run(node, directory.resolve(sync), mode));
      } catch (IOException | IllegalStateException e) {
        // What the other modes have found in hours is not lost with one that no node starts for.
        results.broken(mode.name, "it could not be run: " + e.getMessage());
      }
    }
  }
}
