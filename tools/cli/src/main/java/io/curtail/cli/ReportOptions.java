/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the report of a command that measures goes. */
final class ReportOptions extends Output {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for what is written; made if it is missing.")
  Path out;

  ReportOptions() {
    this("curtail-out");
  }

  ReportOptions(String folder) {
    out = Path.of(folder);
  }
}
