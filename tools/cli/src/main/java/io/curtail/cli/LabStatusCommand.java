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

/** {@code curtail lab status}. */
@Command(
    name = "status",
    description = "Shows the labs that were left up: each node's state, memory and CPU.")
final class LabStatusCommand implements Callable<Integer> {
  @Mixin private LabChoice lab;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    List<LabView> views = new ArrayList<>();
    for (Path directory : lab.isGiven() ? List.of(lab.directory()) : Home.find().startedLabs()) {
      views.add(LabView.of(Cluster.attach(directory)));
    }
    output.print(
        views,
        () ->
            views.isEmpty()
                ? "No lab runs; start one with: curtail lab start\n"
                : views.stream().map(LabView::toText).collect(Collectors.joining("\n")));
    return 0;
  }
}
