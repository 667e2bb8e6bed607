/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.meter;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pauses of a JVM's collector, from the log that {@code -Xlog:gc} writes. */
public final class GcLog {
  private static final Pattern PAUSE =
      Pattern.compile("GC\\(\\d+\\) Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\) ([0-9.]+)ms");
  private static final long MEBIBYTE = 1 << 20;

  private final Path file;

  /** The file need not be there yet. */
  GcLog(Path file) {
    this.file = file;
  }

  /**
   * What was collected.
   *
   * @param nanos that the application stood still
   * @param freedBytes that the pauses gave back, to a mebibyte each
   */
  public record Pauses(int count, long nanos, long longestNanos, long freedBytes) {
    static final Pauses NONE = new Pauses(0, 0, 0, 0);

    /** Both nodes' together. */
    Pauses plus(Pauses other) {
      return new Pauses(
          count + other.count,
          nanos + other.nanos,
          Math.max(longestNanos, other.longestNanos),
          freedBytes + other.freedBytes);
    }
  }

  /** Makes each JVM write a log of its own into a directory. */
  public static String option(Path directory) {
    return "-Xlog:gc:file=" + directory.resolve("gc-%p.log") + ":uptime:filecount=0";
  }

  /** The log of a JVM that was started with {@link #option}. */
  public static GcLog of(Path directory, long pid) {
    return new GcLog(directory.resolve("gc-" + pid + ".log"));
  }

  /** How long the log is now. */
  long position() throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** The pauses that the log tells of between two positions. */
  Pauses between(long from, long to) throws IOException {
    byte[] bytes = new byte[(int) (to - from)];
    if (bytes.length > 0) {
      try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
        log.seek(from);
        log.readFully(bytes);
      }
    }
    return pauses(new String(bytes, StandardCharsets.US_ASCII));
  }

  static Pauses pauses(String text) {
    int count = 0;
    long nanos = 0;
    long longest = 0;
    long freed = 0;
    Matcher pause = PAUSE.matcher(text);
    while (pause.find()) {
      long length = Math.round(Double.parseDouble(pause.group(3)) * 1e6);
      count++;
      nanos += length;
      longest = Math.max(longest, length);
      freed += (Long.parseLong(pause.group(1)) - Long.parseLong(pause.group(2))) * MEBIBYTE;
    }
    return new Pauses(count, nanos, longest, freed);
  }
}
