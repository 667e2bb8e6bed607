/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.log.LogReplay;
import io.curtail.engine.options.EngineOptions;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * Where the node's RocksDB is, and what is refused there: a directory that lacks a part, or that
 * has other rows than this node's. Thread-safe.
 */
final class RocksDirectory {
  /** RocksDB makes it before CURRENT, and has another, and a log, once it was open. */
  private static final String FIRST_MANIFEST = "MANIFEST-000001";

  private RocksDirectory() {}

  /** As errors name it. */
  static String of(EngineOptions options) {
    // That of Cassandra's own tables may be a small disk.
    return options.path.isEmpty()
        ? DatabaseDescriptor.getNonLocalSystemKeyspacesDataFileLocations()[0] + "/curtail-rocksdb"
        : Path.of(options.path).toAbsolutePath().toString();
  }

  /**
   * Comes before it is opened. Data files with no CURRENT are a damaged RocksDB, not a new one.
   *
   * @param marker what the data directories say; null for nothing
   * @throws IOException that says what to do
   */
  static void check(Path home, Path log, NodeMarker marker) throws IOException {
    if (Files.exists(home) && !Files.exists(home.resolve("CURRENT"))) {
      refuseRemains(home, "{MANIFEST-*,*.sst,*.log}");
      if (Files.exists(log)) {
        refuseRemains(log, "*");
      }
    }
    if (marker != null) {
      marker.check(home);
    }
  }

  private static void refuseRemains(Path directory, String names) throws IOException {
    try (DirectoryStream<Path> remains = Files.newDirectoryStream(directory, names)) {
      for (Path file : remains) {
        if (!file.endsWith(FIRST_MANIFEST)) {
          throw new IOException(
              "the file CURRENT is gone but data is there, such as "
                  + file.getFileName()
                  + LogReplay.ADVICE);
        }
      }
    }
  }

  /**
   * Comes when it is open, before anything rests on it. The data directories say that there are
   * rows before there is one: those of which they say nothing are another node's, or of before the
   * data directories were emptied, and may lack deletions that all nodes have forgotten.
   *
   * @param tables that have rows in it
   * @throws ConfigurationException that says what to do
   */
  static void checkRows(String directory, NodeMarker marker, Set<String> tables) {
    if (marker == null && !tables.isEmpty()) {
      throw new ConfigurationException(
          "rocksdb memtable: "
              + directory
              + " has rows, but no data directory of this node has the file "
              + NodeMarker.NAME
              + ", as if they had been emptied, or the rows were another node's: move it away, so"
              + " that the node gets its rows as it joins, or by a repair; if they are this node's,"
              + " put the file back, with the lines directory="
              + directory
              + " and identity=..., as the file IDENTITY there has it",
          false);
    }
  }
}
