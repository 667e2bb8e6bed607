/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a class runs in a process of its own. */
public final class ChildJvm {
  private ChildJvm() {}

  /** The program that runs this process. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Runs a class, which this process has in its class path, and soon ends or is killed. */
  public static List<String> command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(List.of(java(), "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
