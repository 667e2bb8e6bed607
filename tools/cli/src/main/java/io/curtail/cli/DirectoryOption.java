/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where nodes keep their files. */
final class DirectoryOption {
  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where the nodes keep their files; under .curtail if not given.")
  private Path directory;

  boolean isGiven() {
    return directory != null;
  }

  /** Relative paths are seen from where the user stands; null if it was not given. */
  Path directory() {
    return directory == null ? null : directory.toAbsolutePath().normalize();
  }
}
