/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.engine.trials.TrialNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all trials of the engine take. */
final class EngineTrial {
  @Option(
      names = "--parameter",
      paramLabel = "NAME=VALUE",
      showDefaultValue = Visibility.NEVER,
      description = "A parameter of the memtable, such as merge=java; may be repeated.")
  private Map<String, String> parameters = Map.of();

  @Mixin private DirectoryOption directory;

  /** A directory that is not there yet. */
  Path directory() throws IOException {
    return directory.fresh();
  }

  /** The node, with more parameters. */
  TrialNode node(Map<String, String> more) throws IOException {
    Map<String, String> all = new TreeMap<>(more);
    all.putAll(parameters);
    return new TrialNode(classPath(), all);
  }

  /** Of the memtable, as the user gave them. */
  Map<String, String> parameters() {
    return parameters;
  }

  private static List<Path> classPath() throws IOException {
    List<Path> jars = new ArrayList<>(EngineJars.trials());
    try (Stream<Path> versions =
        Files.list(DirectoryOption.home().resolve("tools/cassandra-jars/target"))) {
      Path libraries =
          versions
              .map(version -> version.resolve("lib"))
              .filter(Files::isDirectory)
              .max(Comparator.naturalOrder())
              .orElseThrow(
                  () ->
                      new IllegalStateException(
                          "no jars of Cassandra are here: use the launcher ./curtail"));
      try (Stream<Path> files = Files.list(libraries)) {
        files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
      }
    }
    return jars;
  }
}
