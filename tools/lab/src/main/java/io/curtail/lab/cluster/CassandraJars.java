/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.campaign.Progress;
import io.curtail.campaign.process.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The jars of a stock Cassandra release, from Maven; another release is fetched when asked for. */
final class CassandraJars {
  private static final String CASSANDRA = "org.apache.cassandra:cassandra-all:jar:";

  private CassandraJars() {}

  /** The release that the project is built and tested with. */
  static String defaultVersion() {
    Properties properties = new Properties();
    try (InputStream in = CassandraJars.class.getResourceAsStream("cassandra.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  /**
   * All jars of a node in the order of its class path, which class-data sharing needs to be stable.
   *
   * @throws IllegalStateException if they are not there and Maven cannot get them
   */
  static List<Path> of(Home home, String version, Progress progress) throws IOException {
    Path directory = home.nodeClassPath(version);
    List<Path> jars = jarsIn(directory);
    if (jars.isEmpty()) {
      progress.report("fetching Cassandra " + version + " with Maven");
      fetch(home, version);
      jars = jarsIn(directory);
    }
    if (jars.stream().noneMatch(jar -> jar.endsWith("cassandra-all-" + version + ".jar"))) {
      throw new IllegalStateException("no cassandra-all-" + version + ".jar in " + directory);
    }
    return jars;
  }

  private static List<Path> jarsIn(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static void fetch(Home home, String version) throws IOException {
    Optional<String> failure =
        Commands.failure(
            Duration.ofHours(1),
            List.of(
                "mvn",
                "-B",
                "-ntp",
                "-q",
                "-Dstyle.color=never",
                "-f",
                home.root().resolve("tools/cassandra-jars/pom.xml").toString(),
                "package",
                "-Dcassandra.version=" + version));
    if (failure.isEmpty()) {
      return;
    }
    String output = failure.get();
    if (output.contains("Could not find artifact " + CASSANDRA + version)) {
      throw new IllegalArgumentException("Maven finds no Cassandra " + version);
    }
    String firstError =
        output.lines().filter(line -> line.contains("ERROR")).findFirst().orElse(output);
    throw new IllegalStateException("Maven could not get Cassandra " + version + ": " + firstError);
  }
}
