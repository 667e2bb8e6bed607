/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.curtail.cli.option.SelectionPolicyOption;
import io.curtail.cli.output.Output;
import io.curtail.report.Json;
import io.curtail.simulator.PolicyComparison;
import io.curtail.simulator.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code curtail simulate compare}. */
@Command(
    name = "compare",
    description = {
      "Two policies of finished runs side by side, cell by cell, seed by seed: curtail, or the one"
          + " of --policy, and c3, or those of --against."
    })
final class SimulateCompare implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "DIR",
      defaultValue = "curtail-out/simulate",
      description = "Folders that 'run' wrote into, taken together.")
  private List<Path> folders;

  @Mixin private SelectionPolicyOption policy;

  @Option(
      names = "--against",
      split = ",",
      completionCandidates = SelectionPolicyOption.Names.class,
      defaultValue = "c3",
      description = {
        "One policy, or several with commas between them: then the best of them in each cell",
        "for each measure."
      })
  private List<String> references;

  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    String compared = policy();
    List<Result> results = new ArrayList<>();
    for (Path folder : folders) {
      Path file = folder.resolve("results.json");
      if (!Files.isRegularFile(file)) {
        throw new IllegalArgumentException("there is no " + file + ": run an experiment first");
      }
      results.addAll(read(file));
    }
    PolicyComparison comparison = new PolicyComparison(results, compared, references);
    output.print(comparison.summary(), comparison::toText);
    return 0;
  }

  private static List<Result> read(Path file) throws IOException {
    String none = file + " has no results of 'simulate run': ";
    try {
      Result[] results = Json.read(file, Result[].class);
      if (results == null || Arrays.asList(results).contains(null)) {
        throw new IllegalArgumentException(none + "null");
      }
      return List.of(results);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(none + e.getOriginalMessage(), e);
    }
  }

  /** The one that was given, or the usual one. */
  private String policy() {
    List<String> policies = policy.policies();
    if (policies.size() > 1) {
      throw new IllegalArgumentException("--policy: one is compared; --against takes several");
    }
    return policies.isEmpty() ? "curtail" : policies.get(0);
  }
}
