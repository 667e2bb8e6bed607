/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.cli.output.Output;
import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.Home;
import java.io.IOException;
import java.nio.file.Path;
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
    if (all) {
      new EachLab<>(Home.find().startedLabs(), LabStopCommand::stop)
          .tell(this::print, "not stopped");
    } else {
      print(List.of(stop(lab.directory())));
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
