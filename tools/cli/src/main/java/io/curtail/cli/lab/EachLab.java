/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.cli.output.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What is done to all labs, one after the other: one that it fails for keeps it from no other. */
final class EachLab<T> {
  private final List<T> results = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private Exception cause;

  /** What is done to one. */
  interface Work<T> {
    T on(Path directory) throws IOException;
  }

  EachLab(List<Path> labs, Work<T> work) {
    for (Path lab : labs) {
      try {
        results.add(work.on(lab));
      } catch (IOException | IllegalStateException e) {
        failures.add(lab.getFileName() + ": " + ErrorText.of(e));
        cause = e;
      }
    }
  }

  /**
   * Prints what came of it, unless it failed for all.
   *
   * @param failed what is said before the labs that it failed for
   * @throws IllegalStateException if there are such
   */
  void tell(Consumer<List<T>> print, String failed) {
    if (!results.isEmpty() || failures.isEmpty()) {
      print.accept(results);
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failed + ": " + String.join("; ", failures), cause);
    }
  }
}
