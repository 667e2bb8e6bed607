/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;

/** Writes in the node until it is killed, and notes in a file what was answered. */
public final class CrashWriters {
  private CrashWriters() {}

  /**
   * Starts threads that write, each to its own partition.
   *
   * @param directory for the notes: a file a partition, a line for each operation answered
   */
  public static void start(String directory, String firstPartition, String threads) {
    for (int i = 0; i < Integer.parseInt(threads); i++) {
      int partition = Integer.parseInt(firstPartition) + i;
      Thread thread = new Thread(() -> write(Path.of(directory), partition), "writer-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void write(Path directory, int partition) {
    // Not buffered: what is in the file survives the process.
    try (FileOutputStream notes =
        new FileOutputStream(directory.resolve("answered-" + partition).toFile())) {
      for (int n = 1; ; n++) {
        QueryProcessor.process(CrashTables.operation(partition, n), ConsistencyLevel.ONE);
        notes.write((n + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
