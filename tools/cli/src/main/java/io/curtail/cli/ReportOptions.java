/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.io.IOException;
import java.nio.file.Files;
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

  /**
   * Makes the folder, before anything is done that would be lost.
   *
   * @throws IllegalArgumentException if it cannot be written
   */
  final void requireWritable() {
    try {
      Files.createDirectories(out);
      Files.delete(Files.createTempFile(out, "writable", null));
    } catch (IOException e) {
      throw new IllegalArgumentException("--out: cannot write into " + out, e);
    }
  }
}
