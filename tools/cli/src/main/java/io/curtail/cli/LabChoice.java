/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.lab.cluster.Home;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which lab a command is about. */
final class LabChoice {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      description = "Name of the lab; \"default\" if none is given.")
  private String name;

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description = "Directory of the lab, instead of the one that belongs to its name.")
  private Path directory;

  boolean isGiven() {
    return name != null || directory != null;
  }

  String name() {
    return name == null ? "default" : name;
  }

  /** Relative paths are seen from where the user stands. */
  Path directory() {
    return directory == null ? Home.find().lab(name()) : directory.toAbsolutePath().normalize();
  }
}
