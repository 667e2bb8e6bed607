/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.lab;

import io.curtail.cli.option.DirectoryOption;
import io.curtail.lab.cluster.Home;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Which lab a command is about. */
final class LabChoice {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      description = "Name of the lab; \"default\" if none is given.")
  private String name;

  @Mixin private DirectoryOption directory;

  boolean isGiven() {
    return name != null || directory.isGiven();
  }

  String name() {
    return name == null ? "default" : name;
  }

  /** What stops it, from wherever the user stands. */
  String stopCommand() {
    String directoryOrName = directory.isGiven() ? "--directory " + directory() : name();
    return "curtail lab stop " + directoryOrName;
  }

  Path directory() {
    return directory.isGiven() ? directory.directory() : Home.find().lab(name());
  }
}
