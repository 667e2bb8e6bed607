/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The labs of this project that were left up. */
public final class Labs {
  private Labs() {}

  /** Where a lab of this name is, or would be. */
  public static Path directory(String name) {
    return Home.find().lab(name);
  }

  /** Directories of labs that have not been stopped, whether their nodes live or not. */
  public static List<Path> started() throws IOException {
    Path all = Home.find().labs();
    if (!Files.isDirectory(all)) {
      return List.of();
    }
    try (Stream<Path> directories = Files.list(all)) {
      return directories.filter(LabState::exists).sorted().toList();
    }
  }
}
