/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The project's directory, where the launcher and Maven put what labs need.
 *
 * @param root holds the launcher {@code curtail}
 */
public record Home(Path root) {

  /** The launcher says where; otherwise (tests, an IDE) it is above the working directory. */
  public static Home find() {
    String told = System.getProperty("curtail.home");
    if (told != null) {
      return new Home(Path.of(told).toAbsolutePath());
    }
    for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.exists(path.resolve("tools/cassandra-jars/pom.xml"))) {
        return new Home(path);
      }
    }
    throw new IllegalStateException(
        "the project's directory is not above the working directory: set -Dcurtail.home=DIRECTORY");
  }

  private Path labs() {
    return root.resolve(".curtail/labs");
  }

  /** Where a lab of this name is, or would be. */
  public Path lab(String name) {
    return labs().resolve(name);
  }

  /** Directories of labs that have not been stopped, whether their nodes live or not. */
  public List<Path> startedLabs() {
    return list(labs()).stream().filter(LabState::exists).toList();
  }

  Path archives() {
    return root.resolve(".curtail/class-data");
  }

  Path programs() {
    return root.resolve(".curtail/programs");
  }

  /** The jars of a stock node, of the release that the project is built with. */
  public List<Path> nodeJars() throws IOException {
    return CassandraJars.of(this, CassandraJars.defaultVersion(), Progress.NONE);
  }

  Path nodeClassPath(String cassandraVersion) {
    return root.resolve("tools/cassandra-jars/target").resolve(cassandraVersion).resolve("lib");
  }

  /** The jar with the lab's hooks for its nodes. */
  Path hooksClassPath() {
    return jar("tools/lab-hooks");
  }

  /**
   * The jar of a module, which is named by its directory: {@code products/server}.
   *
   * @throws IllegalStateException if it has not been built
   */
  public Path jar(String directory) {
    Path target = root.resolve(directory).resolve("target");
    String module = Path.of(directory).getFileName().toString();
    for (Path jar : list(target)) {
      String name = jar.getFileName().toString();
      if (name.matches("curtail-" + module + "-[0-9].*\\.jar")
          && !name.matches(".*-(sources|javadoc)\\.jar")) {
        return jar;
      }
    }
    throw new IllegalStateException(
        "no curtail-"
            + module
            + " jar in "
            + target
            + ": run ./curtail, or mvn package -pl "
            + directory);
  }

  private static List<Path> list(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + directory + ": " + e.getMessage(), e);
    }
  }
}
