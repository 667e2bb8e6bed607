/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.load;

import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Gives a client's thread the processor as soon as it has something to do, because a generator that
 * waits for the nodes it loads measures its own waiting. Where this is not allowed the run goes on:
 * the lateness of each run tells whether it mattered.
 */
final class Priority {
  private static final String REAL_TIME_PRIORITY = "1";
  private static final List<String> COLLECTOR_THREADS = List.of("VM Thread", "GC Thread", "G1 ");

  private Priority() {}

  /**
   * Real-time scheduling, when permitted (root), for the threads that stop all others: the
   * collector's. Waiting for a processor they would hold the generator up for as long.
   */
  static void preferCollectorOverNodes() {
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      for (Path thread : threads.toList()) {
        String name = Files.readString(thread.resolve("comm"));
        if (COLLECTOR_THREADS.stream().anyMatch(name::startsWith)) {
          schedule(thread.getFileName().toString());
        }
      }
    } catch (IOException e) {
      // not Linux, not permitted, or a thread that ended meanwhile: lateness is reported
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Real-time scheduling when permitted (root), and timers without slack. */
  static void preferOverNodes(EventExecutor thread) {
    thread.execute(
        () -> {
          try {
            String id =
                Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
            schedule(id);
            Files.writeString(Path.of("/proc", id, "timerslack_ns"), "1");
          } catch (IOException | UnsupportedOperationException e) {
            // not Linux, or not permitted: the default priority serves, and lateness is reported
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void schedule(String threadId) throws IOException, InterruptedException {
    Process chrt =
        new ProcessBuilder("chrt", "--fifo", "--pid", REAL_TIME_PRIORITY, threadId)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!chrt.waitFor(5, TimeUnit.SECONDS)) {
      chrt.destroyForcibly();
    }
  }
}
