/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.report.Json;
import io.curtail.simulator.Comparison;
import io.curtail.simulator.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code curtail simulate compare}. */
@Command(
    name = "compare",
    description = "Two policies of finished runs side by side, cell by cell, seed by seed.")
final class SimulateCompare implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "FOLDER",
      defaultValue = "curtail-out/simulate",
      description = "Folders that 'run' wrote into, taken together (${DEFAULT-VALUE}).")
  private List<Path> folders;

  @Option(names = "--policy", defaultValue = "curtail", description = "(${DEFAULT-VALUE})")
  private String policy;

  @Option(
      names = "--against",
      split = ",",
      defaultValue = "c3",
      description = {
        "One policy, or several with commas between them: then the best of them in each cell",
        "for each measure (${DEFAULT-VALUE})."
      })
  private List<String> references;

  @Option(names = "--json", description = "For machines.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<Result> results = new ArrayList<>();
    for (Path folder : folders) {
      Path file = folder.resolve("results.json");
      if (!Files.isRegularFile(file)) {
        throw new IllegalArgumentException("there is no " + file + ": run an experiment first");
      }
      results.addAll(Arrays.asList(Json.read(file, Result[].class)));
    }
    Comparison comparison = new Comparison(results, policy, references);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.print(Json.of(comparison.summary()));
    } else {
      out.print(comparison.toText());
    }
    out.flush();
    return 0;
  }
}
