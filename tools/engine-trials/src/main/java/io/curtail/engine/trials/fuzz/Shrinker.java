/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Takes steps out of a script that fails for as long as it still fails. */
final class Shrinker {
  /** Runs a script on fresh tables. */
  interface Runner {
    /** Returns the failure, or null. */
    ScriptBatch.Failure run(Script script) throws IOException;
  }

  private static final long MOST_NANOS = 45_000_000_000L;

  private final Runner runner;
  private final long end = System.nanoTime() + MOST_NANOS;

  Shrinker(Runner runner) {
    this.runner = runner;
  }

  /** The failure of the shortest script found; the given one if it does not fail again. */
  ScriptBatch.Failure shrink(ScriptBatch.Failure found) throws IOException {
    List<ScriptStep> steps = found.script().steps().subList(0, found.step() + 1);
    ScriptBatch.Failure shortest = fails(found.script(), withoutRestart(steps));
    if (shortest == null) {
      shortest = fails(found.script(), steps);
    }
    if (shortest == null) {
      return found;
    }
    for (int size = shortest.step() / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      for (int at = shortest.step() - size; at > -size && System.nanoTime() < end; at -= size) {
        ScriptBatch.Failure shorter =
            fails(shortest.script(), without(shortest, Math.max(at, 0), at + size));
        if (shorter != null) {
          shortest = shorter;
          at = Math.min(at, shortest.step());
        }
      }
    }
    return shortest;
  }

  private ScriptBatch.Failure fails(Script script, List<ScriptStep> steps) throws IOException {
    return runner.run(script.with(steps));
  }

  private static List<ScriptStep> withoutRestart(List<ScriptStep> steps) {
    return steps.stream().filter(step -> step.kind() != ScriptStep.Kind.RESTART).toList();
  }

  private static List<ScriptStep> without(ScriptBatch.Failure failure, int from, int to) {
    List<ScriptStep> steps =
        new ArrayList<>(failure.script().steps().subList(0, failure.step() + 1));
    steps.subList(from, Math.min(to, failure.step())).clear();
    return steps;
  }
}
