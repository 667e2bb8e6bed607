/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command will write at its end: better refused at its start. */
final class OutputFile {
  private OutputFile() {}

  /**
   * Checks that the file can be written.
   *
   * @param file null for none
   * @throws IllegalArgumentException if it cannot
   */
  static void check(Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder) || !Files.isWritable(folder) || Files.isDirectory(file)) {
      throw new IllegalArgumentException("cannot write the file " + file);
    }
  }
}
