/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Commands of the system, waited for, ten minutes at most where nothing else is said. */
public final class Commands {
  private static final Duration LIMIT = Duration.ofMinutes(10);

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
    Ended ended = run(LIMIT, command);
    if (ended.exit != 0) {
      throw new IOException(String.join(" ", command) + ": " + ended.output);
    }
    return ended.output;
  }

  /** As {@link #failure(Duration, List)}, within ten minutes. */
  public static Optional<String> failure(List<String> command) throws IOException {
    return failure(LIMIT, command);
  }

  /**
   * Runs a command and returns what it printed if it failed.
   *
   * @throws IOException if it cannot be started, or does not end in so long
   */
  public static Optional<String> failure(Duration limit, List<String> command) throws IOException {
    Ended ended = run(limit, command);
    return ended.exit == 0 ? Optional.empty() : Optional.of(ended.output);
  }

  record Ended(int exit, String output) {}

  /**
   * Runs a command, though this thread is interrupted: who ends a lab needs the commands that take
   * its network away.
   *
   * @throws IOException if it cannot be started, or does not end in so long
   */
  static Ended run(Duration limit, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start();
    // Read beside: the pipe of one that hangs, as a mount of a disk that answers no more, never
    // ends.
    FutureTask<Ended> end =
        new FutureTask<>(
            () -> {
              byte[] output = process.getInputStream().readAllBytes();
              return new Ended(
                  process.waitFor(), new String(output, StandardCharsets.UTF_8).strip());
            });
    Thread reader = new Thread(end, "output of " + command.get(0));
    reader.setDaemon(true);
    reader.start();
    try {
      return await(end, limit);
    } catch (ExecutionException e) {
      throw new IOException(String.join(" ", command), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          String.join(" ", command) + ": did not end within " + limit.toSeconds() + " s", e);
    } finally {
      process.destroyForcibly(); // nothing, where it has ended
    }
  }

  private static Ended await(Future<Ended> end, Duration limit)
      throws ExecutionException, TimeoutException {
    boolean interrupted = false;
    long untilNanos = System.nanoTime() + limit.toNanos();
    try {
      while (true) {
        try {
          return end.get(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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
