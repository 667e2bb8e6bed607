/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import io.curtail.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** What a command finds, which is printed, and kept in a file if the user names a folder. */
public class KeptOutput extends ReportOptions {
  /** Keeps nothing unless the user names a folder. */
  protected KeptOutput() {
    super((Path) null);
  }

  /**
   * Makes the folder, if the user names one, before anything is measured that would be lost.
   *
   * @throws IllegalArgumentException if it cannot be written
   */
  public final void begin() {
    if (isKept()) {
      requireWritable();
    }
  }

  private boolean isKept() {
    return folder() != null;
  }

  /**
   * Replaces what was kept before.
   *
   * @param kind what the file's name begins with
   */
  public final void keep(String kind, Object results) throws IOException {
    if (isKept()) {
      Json.write(folder().resolve(kind + "-" + name() + ".json"), results);
    }
  }

  /** The same on the way: in hours, the folder may become full, and have room again. */
  public final void keepSoFar(String kind, Supplier<Object> results) {
    if (isKept()) {
      try {
        keep(kind, results.get());
      } catch (IOException e) {
        progress("not kept: " + e);
      }
    }
  }
}
