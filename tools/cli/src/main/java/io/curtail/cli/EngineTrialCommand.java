/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/**
 * A trial of the engine: progress on the way, a line or JSON at the end, exit code 1 for a fault.
 */
abstract class EngineTrialCommand implements Callable<Integer> {
  @Mixin private Output output;
  @Mixin private EngineTrial trial;

  /**
   * Runs the trial, once or in several modes.
   *
   * @return a result for each mode
   */
  abstract Map<String, TrialResult> run(EngineTrial trial, Output output) throws IOException;

  @Override
  public final Integer call() throws IOException {
    Instant start = Instant.now();
    Map<String, TrialResult> results = run(trial, output);
    Map<String, Object> details = new LinkedHashMap<>();
    results.forEach((mode, result) -> details.put(mode, result.details()));
    output.print(
        TrialReport.of(output, start, details),
        () ->
            results.entrySet().stream()
                .map(result -> result.getKey() + ": " + result.getValue().summary() + "\n")
                .collect(Collectors.joining()));
    return results.values().stream().allMatch(TrialResult::isRight) ? 0 : 1;
  }
}
