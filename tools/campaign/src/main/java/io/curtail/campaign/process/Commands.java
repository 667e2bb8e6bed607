/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Commands of the system, waited for, five minutes at most. */
public final class Commands {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private Commands() {}

  /**
   * Runs a command and returns what it printed, standard error included.
   *
   * @throws IOException if it cannot be started, fails, with what it printed, or does not end
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
   * @throws IOException if it cannot be started, or does not end
   */
  public static Optional<String> failure(List<String> command) throws IOException {
    Ended ended = ended(command);
    return ended.exit == 0 ? Optional.empty() : Optional.of(ended.output);
  }

  record Ended(int exit, String output) {}

  private static Ended ended(List<String> command) throws IOException {
    return ended(command, LIMIT);
  }

  // Into a file: of one that hangs, as a mount of a disk that answers no more, a pipe never ends.
  static Ended ended(List<String> command, Duration limit) throws IOException {
    Path output = Files.createTempFile("curtail-command-", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .redirectInput(new File("/dev/null"))
              .start();
      await(process, command, limit);
      return new Ended(process.exitValue(), Files.readString(output).strip());
    } finally {
      Files.delete(output);
    }
  }

  private static void await(Process process, List<String> command, Duration limit)
      throws IOException {
    boolean ended = false;
    try {
      ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", command), e);
    } finally {
      if (!ended) {
        process.destroyForcibly();
      }
    }
    if (!ended) {
      throw new IOException(
          String.join(" ", command) + ": did not end within " + limit.toSeconds() + " s");
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
