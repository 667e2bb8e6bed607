/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** What a command finds, which is printed, and kept in a file if the user names a folder. */
class KeptOutput extends ReportOptions {
  KeptOutput() {
    super((Path) null);
  }

  /** Before anything is measured that a folder that cannot be written would lose. */
  final void begin() {
    if (isKept()) {
      requireWritable();
    }
  }

  private boolean isKept() {
    return out != null;
  }

  /** Replaces what was kept before. */
  final void keep(String kind, Object results) throws IOException {
    if (isKept()) {
      Json.write(out.resolve(kind + "-" + name() + ".json"), results);
    }
  }

  /** The same on the way: in hours, the folder may become full, and have room again. */
  final void keepSoFar(String kind, Supplier<Object> results) {
    if (isKept()) {
      try {
        keep(kind, results.get());
      } catch (IOException e) {
        progress("not kept: " + e);
      }
    }
  }
}
