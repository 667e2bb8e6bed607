/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Jars on the launcher's class path that belong on a node's. */
public final class EngineJars {
  private static final Pattern ENGINE =
      Pattern.compile("(curtail-engine|rocksdbjni)-[0-9].*\\.jar");
  private static final Pattern TRIALS =
      Pattern.compile(
          "(curtail-(engine|engine-trials|test-node)|rocksdbjni|async-profiler)-[0-9].*\\.jar");

  private EngineJars() {}

  /**
   * What an operator copies to a node's {@code lib/}.
   *
   * @throws IllegalStateException if they are not on the class path
   */
  public static List<Path> engine() {
    return matching(ENGINE);
  }

  /** The engine and what its trials run in the node. */
  static List<Path> trials() {
    return matching(TRIALS);
  }

  private static List<Path> matching(Pattern name) {
    List<Path> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = Path.of(entry);
      if (jar.getFileName() != null && name.matcher(jar.getFileName().toString()).matches()) {
        jars.add(jar.toAbsolutePath());
      }
    }
    if (jars.size() < 2) {
      throw new IllegalStateException(
          "curtail-engine and rocksdbjni are not on the class path: use the launcher ./curtail");
    }
    return jars;
  }
}
