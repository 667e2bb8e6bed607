/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.cluster.NodeManagement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where a node keeps the table. */
enum Kind {
  /** Trie memtables off the heap, BTI data files, unified compaction. */
  STOCK("default") {
    @Override
    Map<String, Object> yaml(EngineSettings settings) {
      return NodeOptions.stock(settings);
    }

    @Override
    List<Path> classPath(EngineSettings settings) {
      return List.of();
    }

    @Override
    void flush(NodeManagement management, String table) throws IOException {
      management.invoke(
          "org.apache.cassandra.db:type=StorageService",
          "forceKeyspaceFlush",
          EngineTable.KEYSPACE,
          new String[] {table});
    }

    @Override
    Path dataFiles(Path data) {
      return data.resolve(EngineTable.KEYSPACE);
    }

    @Override
    boolean isDataFile(Path file) {
      return Files.isRegularFile(file);
    }
  },
  /** Curtail's engine. */
  ROCKSDB("rocksdb") {
    @Override
    Map<String, Object> yaml(EngineSettings settings) {
      return NodeOptions.rocksdb(settings);
    }

    @Override
    List<Path> classPath(EngineSettings settings) {
      return settings.engine();
    }

    @Override
    void flush(NodeManagement management, String table) throws IOException {
      management.invoke("io.curtail.engine:type=Engine", "flush", EngineTable.KEYSPACE, table);
    }

    @Override
    Path dataFiles(Path data) {
      return data.resolve("curtail-rocksdb");
    }

    @Override
    boolean isDataFile(Path file) {
      return file.toString().endsWith(".sst");
    }
  };

  private final String memtable;

  Kind(String memtable) {
    this.memtable = memtable;
  }

  /** As reports name it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The memtable configuration of the table. */
  String memtable() {
    return memtable;
  }

  abstract Map<String, Object> yaml(EngineSettings settings);

  abstract List<Path> classPath(EngineSettings settings);

  abstract void flush(NodeManagement management, String table) throws IOException;

  /** The directory in a node's data directory that has the table's files. */
  abstract Path dataFiles(Path data);

  abstract boolean isDataFile(Path file);
}
