/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.option.EngineTrial;
import io.curtail.cli.output.KeptOutput;
import io.curtail.cli.output.UntilStopped;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/**
 * A trial of the engine: progress on the way, a line or JSON at the end, also when it is stopped by
 * hand, exit code 1 for a fault.
 */
abstract class EngineTrialCommand implements Callable<Integer> {
  @Mixin private KeptOutput output;
  @Mixin private EngineTrial trial;

  /** Runs the trial, once or in several modes. */
  abstract void run(EngineTrial trial, TrialResults results) throws IOException;

  /** Whether its results name files of nodes. */
  boolean namesFiles() {
    return false;
  }

  @Override
  public final Integer call() throws IOException {
    output.begin();
    TrialResults results = new TrialResults(output);
    UntilStopped.leavingAlone(
        () -> {
          run(trial, results);
          results.complete();
        },
        isStopped -> {
          results.print(isStopped);
          trial.settle(namesFiles() || !results.isRight(), output::progress);
        });
    return results.isRight() ? 0 : 1;
  }
}
