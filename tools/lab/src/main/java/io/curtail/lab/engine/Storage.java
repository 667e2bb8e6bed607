/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.engine;

import io.curtail.lab.cluster.NodeManagement;
import io.curtail.lab.experiment.EngineSettings;
import io.curtail.lab.load.LabTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Where a node keeps the table. */
enum Storage {
  /** Trie memtables off the heap, BTI data files, unified compaction. */
  STOCK("default", LabTable.KEYSPACE) {
    @Override
    Map<String, Object> yaml(EngineSettings settings, boolean absorb) {
      return NodeOptions.stock(settings);
    }

    @Override
    List<Path> classPath(EngineSettings settings) {
      return List.of();
    }

    @Override
    void flush(NodeManagement management, String table) throws IOException {
      management.invoke(
          NodeManagement.STORAGE_SERVICE,
          "forceKeyspaceFlush",
          LabTable.KEYSPACE,
          new String[] {table});
    }

    @Override
    boolean isCompacting(NodeManagement management, String table) throws IOException {
      Object tasks =
          management.attribute(
              "org.apache.cassandra.metrics:type=Compaction,name=PendingTasks", "Value");
      return ((Number) tasks).longValue() > 0;
    }

    @Override
    boolean isDataFile(Path file) {
      return Files.isRegularFile(file);
    }
  },
  /** Curtail's engine. */
  ROCKSDB("rocksdb", "curtail-rocksdb") {
    @Override
    Map<String, Object> yaml(EngineSettings settings, boolean absorb) {
      return NodeOptions.rocksdb(settings, absorb);
    }

    @Override
    List<Path> classPath(EngineSettings settings) {
      return settings.jars();
    }

    @Override
    void flush(NodeManagement management, String table) throws IOException {
      management.invoke(BEAN, "flush", LabTable.KEYSPACE, table);
    }

    @Override
    boolean isCompacting(NodeManagement management, String table) throws IOException {
      for (String property : List.of("compaction-pending", "num-running-compactions")) {
        Object value =
            management.invoke(BEAN, "property", LabTable.KEYSPACE, table, "rocksdb." + property);
        if (!value.equals("0")) {
          return true;
        }
      }
      return false;
    }

    @Override
    boolean isDataFile(Path file) {
      return file.toString().endsWith(".sst");
    }
  };

  private static final String BEAN = "io.curtail.engine:type=Engine";

  private final String memtable;
  private final String folder;

  Storage(String memtable, String folder) {
    this.memtable = memtable;
    this.folder = folder;
  }

  /** As reports name it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The memtable configuration of the table. */
  String memtable() {
    return memtable;
  }

  /** With data files of Cassandra absorbed or not, if it is RocksDB. */
  abstract Map<String, Object> yaml(EngineSettings settings, boolean absorb);

  abstract List<Path> classPath(EngineSettings settings);

  abstract void flush(NodeManagement management, String table) throws IOException;

  /** Whether the node compacts, or will as soon as it can. */
  abstract boolean isCompacting(NodeManagement management, String table) throws IOException;

  /** The directory in a node's data directory that has the table's files. */
  Path dataFiles(Path data) {
    return data.resolve(folder);
  }

  abstract boolean isDataFile(Path file);
}
