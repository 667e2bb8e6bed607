/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The directories of a snapshot, as a node lays them out. */
final class SnapshotDirectories {
  private static final int DEPTH = 5;

  private SnapshotDirectories() {}

  /** One for each table and index that has it. */
  static List<Path> directories(Path data, String name) throws IOException {
    try (Stream<Path> files =
        Files.find(
            data.resolve(Jmx.KEYSPACE),
            DEPTH,
            (path, attributes) ->
                attributes.isDirectory()
                    && path.getFileName().toString().equals(name)
                    && path.getParent().getFileName().toString().equals("snapshots"))) {
      return files.toList();
    }
  }

  /** Those of a table itself, of its earlier incarnations too. */
  static List<Path> directories(Path data, String table, String name) throws IOException {
    return directories(data, name).stream()
        .filter(
            path -> path.getParent().getParent().getFileName().toString().startsWith(table + "-"))
        .toList();
  }

  /** Whether Cassandra's data files are part of it. */
  static boolean hasDataFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.getFileName().toString().endsWith("-Data.db"));
    }
  }

  /** Whether rows that were in RocksDB are part of it. */
  static boolean hasRocks(Path directory) {
    return Files.isDirectory(directory.resolve("rocksdb"));
  }
}
