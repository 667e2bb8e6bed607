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
    description = "Two policies of finished runs side by side, cell by cell, seed by seed.",
    mixinStandardHelpOptions = true)
final class SimulateCompare implements Callable<Integer> {
  /** A comparison as a machine reads it. */
  record Compared(String policy, String reference, double medianP999) {}

  @Parameters(
      arity = "0..1",
      defaultValue = "curtail-out/simulate",
      description = "A folder that 'run' wrote into (${DEFAULT-VALUE}).")
  private Path folder;

  @Option(names = "--policy", defaultValue = "curtail", description = "(${DEFAULT-VALUE})")
  private String policy;

  @Option(names = "--against", defaultValue = "c3", description = "(${DEFAULT-VALUE})")
  private String reference;

  @Option(names = "--json", description = "For machines.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Path file = folder.resolve("results.json");
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("there is no " + file + ": run an experiment first");
    }
    List<Result> results = Arrays.asList(Json.read(file, Result[].class));
    Comparison comparison = new Comparison(results, policy, reference);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.print(Json.of(new Compared(policy, reference, comparison.medianP999())));
    } else {
      out.print(comparison.toText());
    }
    out.flush();
    return 0;
  }
}
