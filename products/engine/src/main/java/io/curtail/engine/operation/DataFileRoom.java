/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.io.FSReadError;

/**
 * The room that there is for data files of a table, beside what Cassandra keeps free of its
 * compactions. For one thread.
 */
final class DataFileRoom {
  /** What is written between two looks. */
  private static final long CHECK_BYTES = 16 << 20;

  private final ColumnFamilyStore table;
  private long unchecked;

  DataFileRoom(ColumnFamilyStore table) {
    this.table = table;
  }

  /**
   * So many bytes were written.
   *
   * @throws IllegalStateException if there is hardly any room now
   */
  void taken(long bytes) {
    unchecked += bytes;
    if (unchecked >= CHECK_BYTES) {
      unchecked = 0;
      check(CHECK_BYTES);
    }
  }

  /**
   * Looks whether what a copy of the table lacks may be written.
   *
   * @throws IllegalStateException if not
   */
  void checkCopy() {
    check(MoveOut.bytes(table));
  }

  private void check(long bytes) {
    long room = 0;
    Set<FileStore> disks = new HashSet<>();
    for (Directories.DataDirectory each : table.getDirectories().getWriteableLocations()) {
      try {
        FileStore disk = Files.getFileStore(each.location.toPath());
        room += disks.add(disk) ? Directories.getAvailableSpaceForCompactions(disk) : 0;
      } catch (IOException e) {
        throw new FSReadError(e, each.location);
      }
    }
    if (room < bytes) {
      // Without numbers, so that it is said once.
      throw new IllegalStateException(
          "there is not enough room on the disks of its data directories: make room");
    }
  }
}
