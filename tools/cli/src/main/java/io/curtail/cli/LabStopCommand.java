/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code curtail lab stop}. */
@Command(
    name = "stop",
    description = "Stops a lab and deletes its data; configuration and logs stay.")
final class LabStopCommand implements Callable<Integer> {
  @Mixin private LabChoice lab;
  @Mixin private Output output;

  @Option(names = "--all", description = "Stop every lab.")
  private boolean all;

  @Override
  public Integer call() throws IOException {
    if (all && lab.isGiven()) {
      throw new IllegalArgumentException("--all: stops every lab, so give none");
    }
    List<String> stopped = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    List<Exception> causes = new ArrayList<>();
    for (Path directory : all ? Home.find().startedLabs() : List.of(lab.directory())) {
      try {
        stopped.add(stop(directory));
      } catch (IOException | IllegalStateException e) {
        if (!all) {
          throw e;
        }
        failures.add(directory.getFileName() + ": " + OneLineErrors.message(e));
        causes.add(e);
      }
    }
    if (!stopped.isEmpty() || failures.isEmpty()) {
      print(stopped);
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException("not stopped: " + String.join("; ", failures), causes.get(0));
    }
    return 0;
  }

  /** Returns what it was called. */
  private static String stop(Path directory) throws IOException {
    try (Cluster cluster = Cluster.attach(directory)) {
      return cluster.name();
    }
  }

  private void print(List<String> stopped) {
    output.print(
        stopped,
        () ->
            stopped.isEmpty()
                ? "No lab runs.\n"
                : stopped.stream()
                    .collect(Collectors.joining("\nstopped lab ", "stopped lab ", "\n")));
  }
}
