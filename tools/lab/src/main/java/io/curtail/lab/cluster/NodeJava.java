/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The Java that runs the nodes: Cassandra 5.0 starts on 11 and 17 only. */
record NodeJava(Path executable, String version) {
  private static final List<String> PLACES =
      List.of(
          "/usr/lib/jvm/java-17-openjdk-amd64",
          "/usr/lib/jvm/java-17-openjdk-arm64",
          "/usr/lib/jvm/java-17-openjdk",
          "/usr/lib/jvm/temurin-17-jdk-amd64",
          "/usr/lib/jvm/java-17");

  /**
   * @throws IllegalStateException if there is none
   */
  static NodeJava find() {
    String told = System.getenv("CURTAIL_NODE_JAVA_HOME");
    if (told != null) {
      return in(Path.of(told), told);
    }
    int running = Runtime.version().feature();
    if (running == 17 || running == 11) {
      return in(Path.of(System.getProperty("java.home")), Runtime.version().toString());
    }
    for (String place : PLACES) {
      if (Files.isExecutable(Path.of(place, "bin/java"))) {
        return in(Path.of(place), place);
      }
    }
    throw new IllegalStateException(
        "Cassandra 5.0 runs on Java 11 or 17, this is Java "
            + running
            + ": set CURTAIL_NODE_JAVA_HOME to a JDK 17");
  }

  private static NodeJava in(Path home, String version) {
    Path executable = home.resolve("bin/java");
    if (!Files.isExecutable(executable)) {
      throw new IllegalStateException("no java in " + home + "/bin");
    }
    return new NodeJava(executable, version);
  }
}
