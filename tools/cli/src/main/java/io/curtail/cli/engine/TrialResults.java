/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.engine;

import io.curtail.cli.output.KeptOutput;
import io.curtail.cli.output.TrialReport;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What a trial finds in its parts, which are sync modes or seeds, while it finds it. Each line of
 * progress also brings what is kept up to date. Thread-safe.
 */
final class TrialResults {
  private static final int STOP_MILLIS = 1_000;

  private final KeptOutput output;
  private final Instant start = Instant.now();
  private final Map<String, Supplier<TrialResult>> parts = new LinkedHashMap<>();
  private boolean complete;
  private boolean printed;

  TrialResults(KeptOutput output) {
    this.output = output;
  }

  /** Tells the user how far it is. */
  synchronized void progress(String line) {
    if (!printed) {
      output.progress(line);
      output.keepSoFar("engine", () -> report(found()));
    }
  }

  /**
   * Begins a part.
   *
   * @param soFar what it has found, from any thread; null if nothing yet
   */
  synchronized void running(String part, Supplier<TrialResult> soFar) {
    parts.put(part, soFar);
  }

  /** Ends a part. */
  synchronized void done(String part, TrialResult result) {
    running(part, () -> result);
    if (!printed) {
      output.keepSoFar("engine", () -> report(found()));
    }
  }

  /** Ends a part that could not go on; what it has found counts. */
  void broken(String part, String why) {
    letTheUserStopFirst();
    TrialResult before = found().get(part);
    progress(part + ": " + why);
    done(
        part,
        before == null
            ? new TrialResult(Map.of("failure", why), why, false)
            : new TrialResult(
                Map.of("failure", why, "before", before.details()),
                why + "; before: " + before.summary(),
                false));
  }

  /** A program that is just being started gets the Ctrl-C that ends this one, too, and may fail. */
  private static void letTheUserStopFirst() {
    try {
      Thread.sleep(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the trial: all its parts were run. */
  synchronized void complete() {
    complete = true;
  }

  /** By part; those that have found nothing yet are left out. */
  synchronized Map<String, TrialResult> found() {
    Map<String, TrialResult> found = new LinkedHashMap<>();
    parts.forEach(
        (part, soFar) -> {
          TrialResult result = soFar.get();
          if (result != null) {
            found.put(part, result);
          }
        });
    return found;
  }

  /** Whether it is complete, and nothing failed. */
  synchronized boolean isRight() {
    return complete && found().values().stream().allMatch(TrialResult::isRight);
  }

  /** At the end, or when the user stops it; what comes later is not told any more. */
  synchronized void print(boolean isStopped) throws IOException {
    printed = true;
    Map<String, TrialResult> found = found();
    if (isStopped) {
      output.progress("stopped; so far " + (found.isEmpty() ? "nothing" : "this") + " was found");
    }
    if (found.isEmpty()) {
      return;
    }
    TrialReport report = report(found);
    output.print(
        report,
        () ->
            found.entrySet().stream()
                .map(result -> result.getKey() + ": " + result.getValue().summary() + "\n")
                .collect(Collectors.joining()));
    output.keep("engine", report);
  }

  private TrialReport report(Map<String, TrialResult> found) {
    Map<String, Object> details = new LinkedHashMap<>();
    found.forEach((part, result) -> details.put(part, result.details()));
    return TrialReport.of(output, start, !complete, details);
  }
}
