/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Under which start of the machine the log was written, in a file beside it: a process that was
 * killed leaves all of its writes to the operating system, a loss of power takes some. And the last
 * segment that the process had found, all of which it applied. For one thread.
 */
public final class BootMark {
  private static final Path SYSTEM = Path.of("/proc/sys/kernel/random/boot_id");

  private final Path file;
  private final String written;
  private final long segment;
  private final String now;

  /** What the last process wrote into a file, if any did. */
  public BootMark(Path file) throws IOException {
    this(file, SYSTEM);
  }

  /**
   * @param system what says which start of the machine this is
   */
  BootMark(Path file, Path system) throws IOException {
    this.file = file;
    now = Files.isReadable(system) ? read(system) : null;
    String[] words = String.valueOf(read(file)).split(" ", -1);
    boolean isWhole = words.length == 2 && words[1].matches("\\d{1,18}");
    written = isWhole ? words[0] : null;
    segment = isWhole ? Long.parseLong(words[1]) : 0;
  }

  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.US_ASCII).strip();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Whether the machine started anew meanwhile, as far as is known. */
  boolean isOfAnotherBoot() {
    return written != null && now != null && !written.equals(now);
  }

  /** The last segment that was there when it was written. */
  long segment() {
    return segment;
  }

  /** Marks what is written from now on, after a segment; on the disk when this returns. */
  void write(long last) throws IOException {
    if (now == null) { // one of before would say what is not so
      if (Files.deleteIfExists(file)) {
        LogSegment.syncDirectory(file.getParent());
      }
      return;
    }
    Path made = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            made,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap((now + " " + last).getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    LogSegment.syncDirectory(file.getParent());
  }
}
