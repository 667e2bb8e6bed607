/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of lines such as {@code MemTotal: 1234 kB}, as many in {@code /proc} are. */
public final class ProcFile {
  private ProcFile() {}

  /**
   * What the first line with a key says.
   *
   * @throws IOException if the file cannot be read, or has none
   */
  public static String value(Path file, String key) throws IOException {
    for (String line : Files.readAllLines(file)) {
      int colon = line.indexOf(':');
      if (colon >= 0 && line.substring(0, colon).strip().equals(key)) {
        return line.substring(colon + 1).strip();
      }
    }
    throw new IOException("no " + key + " in " + file);
  }

  /** The same, of a value in KiB, which the kernel calls kB. */
  public static long bytes(Path file, String key) throws IOException {
    return Long.parseLong(value(file, key).replaceAll("\\D", "")) << 10;
  }
}
