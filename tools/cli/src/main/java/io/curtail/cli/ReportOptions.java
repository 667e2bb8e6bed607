/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where what a command writes goes. */
class ReportOptions extends Output {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for what is written; made if it is missing.")
  Path out;

  ReportOptions() {
    this("curtail-out");
  }

  ReportOptions(String folder) {
    this(Path.of(folder));
  }

  /**
   * @param out null for a command that writes nothing unless it is asked
   */
  ReportOptions(Path out) {
    this.out = out;
  }
}
