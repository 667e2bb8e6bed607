/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a node's log says from now on, also that of its next process. It costs a node nothing, and
 * tells of one that has no management yet or none any more. Not thread-safe.
 */
final class NewLogLines {
  private final Path file;
  private final long from;

  NewLogLines(Path file) throws IOException {
    this.file = file;
    from = Files.exists(file) ? Files.size(file) : 0;
  }

  /** Whether it begins to stream rows, to others or from them. */
  boolean tellOfStreams() throws IOException {
    return contain("Executing streaming plan for ");
  }

  /** Whether it tells the others that it has left the ring. */
  boolean tellOfLeaving() throws IOException {
    return contain("Announcing that I have left the ring");
  }

  private boolean contain(String text) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.max(0, log.length() - from)];
      log.seek(from);
      log.readFully(bytes);
      return new String(bytes, StandardCharsets.ISO_8859_1).contains(text);
    }
  }
}
