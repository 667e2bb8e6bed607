/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import io.curtail.report.Json;
import io.curtail.report.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a {@link LabRun} found. Immutable. */
public interface LabReport {

  /** Returns whether nothing was finished. */
  boolean isEmpty();

  /** Returns whether the run was stopped before its end. */
  boolean isInterrupted();

  /** Returns whether what was to be shown was shown, or measured by the rules. */
  boolean isSuccess();

  /** Returns tables for a terminal. */
  String toText();

  /** Returns what {@code report.json} has. */
  Object data();

  /** Returns the same for people. */
  Page page();

  /** Returns {@link #data()} as JSON. */
  default String toJson() {
    return Json.of(data());
  }

  /** Writes {@code report.json} and {@code report.html} into the folder. */
  default void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Json.write(folder.resolve("report.json"), data());
    page().write(folder.resolve("report.html"));
  }
}
