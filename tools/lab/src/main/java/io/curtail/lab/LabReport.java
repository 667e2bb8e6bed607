/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import java.io.IOException;
import java.nio.file.Path;

/** What a {@link LabRun} found. */
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
  String toJson();

  /** Writes {@code report.json} and {@code report.html} into the folder. */
  void write(Path folder) throws IOException;
}
