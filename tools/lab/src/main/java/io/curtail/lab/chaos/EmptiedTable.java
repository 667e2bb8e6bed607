/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The table whose rows may go: emptied, and filled from a snapshot again. No client writes
 * meanwhile, so that it is known which rows are there. Used by one thread.
 */
record EmptiedTable(Nodes nodes, ChaosSession client, Load load, Patience patience) {
  private static final String NAME = Jmx.KEYSPACE + "." + Plan.EMPTIED;

  void truncate() throws IOException, InterruptedException {
    load.withoutWrites(() -> load.withoutChecks(this::empty));
  }

  private void empty() throws IOException, InterruptedException {
    patience.run(() -> client.change("TRUNCATE " + NAME));
    load.partitions().forEach(WrittenPartition::empty);
    patience.run(
        () -> {
          List<String> rows = client.rows("SELECT * FROM " + NAME + " LIMIT 10");
          if (!rows.isEmpty()) {
            String what = "rows are there after a truncation: " + rows;
            load.violations().report(what);
          }
        });
  }

  /** Takes a snapshot on each member, empties the table, and brings the rows back. */
  void restore(String snapshot) throws IOException, InterruptedException {
    load.withoutWrites(() -> load.withoutChecks(() -> emptyAndRestore(snapshot)));
  }

  private void emptyAndRestore(String snapshot) throws IOException, InterruptedException {
    patience.run(() -> client.change("ALTER TABLE " + NAME + " WITH memtable = 'rocksdb'"));
    for (int node : nodes.members()) {
      patience.run(() -> take(node, snapshot));
    }
    empty();
    for (int node : nodes.members()) {
      patience.run(() -> restore(node, snapshot));
    }
    load.partitions().forEach(WrittenPartition::restore);
    for (int node : nodes.members()) {
      patience.run(() -> clear(node, snapshot));
    }
  }

  /** Again from the start if it failed before: a snapshot cannot be taken twice. */
  private void take(int node, String snapshot) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      jmx.clearSnapshot(snapshot);
      jmx.snapshot(snapshot);
    }
  }

  private void restore(int node, String snapshot) throws IOException {
    List<Path> directories =
        SnapshotDirectories.directories(nodes.node(node).dataDirectory(), Plan.EMPTIED, snapshot);
    if (directories.isEmpty()) {
      throw new IllegalStateException("node " + node + " has no snapshot " + snapshot);
    }
    try (Jmx jmx = nodes.jmx(node)) {
      for (Path directory : directories) {
        if (SnapshotDirectories.hasDataFiles(directory)) {
          jmx.importFiles(Plan.EMPTIED, directory.toString());
        }
        if (SnapshotDirectories.hasRocks(directory)) {
          jmx.restore(Plan.EMPTIED, snapshot);
        }
      }
    }
  }

  private void clear(int node, String snapshot) throws IOException {
    try (Jmx jmx = nodes.jmx(node)) {
      jmx.clearSnapshot(snapshot);
    }
  }
}
