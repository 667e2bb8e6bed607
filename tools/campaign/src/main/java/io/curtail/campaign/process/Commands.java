/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Commands of the system, waited for. */
public final class Commands {
  private Commands() {}

  /**
   * Runs a command and returns what it printed, standard error included.
   *
   * @throws IOException if it cannot be started or fails, with what it printed
   */
  public static String run(String... command) throws IOException {
    return run(List.of(command));
  }

  /** As {@link #run(String...)}. */
  public static String run(List<String> command) throws IOException {
    Ended ended = ended(command);
    if (ended.exit != 0) {
      throw new IOException(String.join(" ", command) + ": " + ended.output);
    }
    return ended.output;
  }

  /**
   * Runs a command and returns what it printed if it failed.
   *
   * @throws IOException if it cannot be started
   */
  public static Optional<String> failure(List<String> command) throws IOException {
    Ended ended = ended(command);
    return ended.exit == 0 ? Optional.empty() : Optional.of(ended.output);
  }

  private record Ended(int exit, String output) {}

  private static Ended ended(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new java.io.File("/dev/null"))
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      return new Ended(process.waitFor(), output);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", command), e);
    }
  }

  /** Whether this process may do what root may. */
  public static boolean isRoot() throws IOException {
    return ProcFile.value(Path.of("/proc/self/status"), "Uid").startsWith("0\t0\t");
  }

  /** Whether a program is on the {@code PATH}, or where only root has it. */
  public static boolean exists(String program) {
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
    for (String directory : path.split(":", -1)) {
      if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }
}
