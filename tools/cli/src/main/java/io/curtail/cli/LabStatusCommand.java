/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.cluster.Cluster;
import io.curtail.lab.cluster.Labs;
import io.curtail.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code curtail lab status}. */
@Command(
    name = "status",
    description = "Shows the labs that were left up: each node's state, memory and CPU.")
final class LabStatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LabChoice lab;

  @Option(names = "--json", description = "Print the labs as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Path> directories = lab.isGiven() ? List.of(lab.directory()) : Labs.started();
    List<LabView> views = new ArrayList<>();
    for (Path directory : directories) {
      views.add(LabView.of(Cluster.attach(directory)));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.print(Json.of(views));
    } else if (views.isEmpty()) {
      out.println("No lab runs; start one with: curtail lab start");
    } else {
      views.forEach(view -> out.println(view.toText()));
    }
    out.flush();
    return 0;
  }
}
