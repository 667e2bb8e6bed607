/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where what a command writes goes. */
public class ReportOptions extends Output {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for what is written; made if it is missing.")
  private Path out;

  ReportOptions() {
    this("curtail-out");
  }

  /** Into this folder, unless the user names another. */
  public ReportOptions(String folder) {
    this(Path.of(folder));
  }

  /**
   * @param out null for a command that writes nothing unless it is asked
   */
  ReportOptions(Path out) {
    this.out = out;
  }

  /** Where it goes; null if the command writes nothing unless it is asked, and is not. */
  public final Path folder() {
    return out;
  }

  /**
   * Makes the folder, before anything is done that would be lost.
   *
   * @throws IllegalArgumentException if it cannot be written
   */
  public final void requireWritable() {
    try {
      Files.createDirectories(out);
      Files.delete(Files.createTempFile(out, "writable", null));
    } catch (IOException e) {
      throw new IllegalArgumentException("--out: cannot write into " + out, e);
    }
  }
}
