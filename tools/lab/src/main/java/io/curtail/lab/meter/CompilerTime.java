/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the just-in-time compilers of a JVM have used. The JVM's own count is by the clock: where
 * processors are busy most of it is waiting for one.
 */
public final class CompilerTime {
  private CompilerTime() {}

  /**
   * Processor time of the compilers' threads that are there now, in nanoseconds; a thread that has
   * ended took its time with it.
   *
   * @throws IOException if there is no such process
   */
  public static long nanos(long pid) throws IOException {
    long nanos = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        nanos += ofCompiler(thread);
      }
    }
    return nanos;
  }

  /** Zero of another thread, or one that has just ended. */
  private static long ofCompiler(Path thread) throws IOException {
    try {
      String name = Files.readString(thread.resolve("comm"));
      if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) {
        return 0;
      }
      // On a processor, waiting for one, and how often.
      String[] times = Files.readString(thread.resolve("schedstat")).split(" ", 2);
      return Long.parseLong(times[0]);
    } catch (IOException e) {
      if (Files.exists(thread)) {
        throw e;
      }
      return 0;
    }
  }
}
