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

/** {@code curtail lab status}. */
@Command(
    name = "status",
    description = "Shows the labs that were left up: each node's state, memory and CPU.")
final class LabStatusCommand implements Callable<Integer> {
  @Mixin private LabChoice lab;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    if (lab.isGiven()) {
      print(List.of(view(lab.directory())));
    } else {
      new EachLab<>(Home.find().startedLabs(), LabStatusCommand::view)
          .tell(this::print, "not known");
    }
    return 0;
  }

  private static LabView view(Path directory) throws IOException {
    return LabView.of(Cluster.attach(directory));
  }

  private void print(List<LabView> views) {
    output.print(
        views,
        () ->
            views.isEmpty()
                ? "No lab runs; start one with: curtail lab start\n"
                : views.stream().map(LabView::toText).collect(Collectors.joining("\n")));
  }
}
