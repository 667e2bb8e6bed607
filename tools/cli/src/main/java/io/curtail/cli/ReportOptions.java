/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the report of a command that measures goes. */
final class ReportOptions {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "curtail-out",
      description = "Folder for report.json and report.html; made if it is missing.")
  Path out;

  @Option(names = "--json", description = "Print the report as JSON instead of tables.")
  boolean json;
}
