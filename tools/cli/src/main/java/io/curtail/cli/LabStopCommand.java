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

/** {@code curtail lab stop}. */
@Command(
    name = "stop",
    description = "Stops a lab and deletes its data; configuration and logs stay.")
final class LabStopCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LabChoice lab;

  @Option(names = "--all", description = "Stop every lab.")
  private boolean all;

  @Option(names = "--json", description = "Print the names of the stopped labs as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<String> stopped = new ArrayList<>();
    List<Path> directories = all ? Labs.started() : List.of(lab.directory());
    for (Path directory : directories) {
      Cluster cluster = Cluster.attach(directory);
      cluster.close();
      stopped.add(cluster.name());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.print(Json.of(stopped));
    } else {
      stopped.forEach(name -> out.println("stopped lab " + name));
    }
    out.flush();
    return 0;
  }
}
