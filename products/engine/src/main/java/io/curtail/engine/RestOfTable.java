/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.List;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * What a table has beside one of its memtables: data files of Cassandra, and other memtables. It
 * has nothing if the memtable is of no table that is open. Thread-safe.
 */
final class RestOfTable {
  private final RocksMemtable memtable;
  private final Memtable.Owner owner;

  RestOfTable(RocksMemtable memtable, Memtable.Owner owner) {
    this.memtable = memtable;
    this.owner = owner;
  }

  int dataFiles() {
    return owner instanceof ColumnFamilyStore ? table().getLiveSSTables().size() : 0;
  }

  /** On the disk. */
  long dataFileBytes() {
    return owner instanceof ColumnFamilyStore
        ? table().getLiveSSTables().stream().mapToLong(SSTableReader::onDiskLength).sum()
        : 0;
  }

  /** Whether there are rows elsewhere, or on their way there. */
  boolean hasRows() {
    return dataFiles() > 0 || hasRowsOnTheirWay();
  }

  /** Whether all rows of the table are in the memtable, which Cassandra writes to. */
  boolean isNothing() {
    View view = view();
    return dataFiles() == 0
        && view != null
        && view.liveMemtables.equals(List.of(memtable))
        && view.flushingMemtables.isEmpty();
  }

  /** Whether another memtable has rows that are on their way to data files. */
  boolean hasRowsOnTheirWay() {
    View view = view();
    return view != null
        && Stream.concat(view.liveMemtables.stream(), view.flushingMemtables.stream())
            .anyMatch(other -> other != memtable && hasRows(other));
  }

  /** Whether any memtable of a table has rows in RocksDB that are the table's. */
  static boolean hasRowsInRocks(Memtable.Owner owner) {
    ColumnFamilyStore table = owner instanceof ColumnFamilyStore ? (ColumnFamilyStore) owner : null;
    if (table == null || table.getTracker() == null) {
      return false; // it is being opened
    }
    View view = table.getTracker().getView();
    return Stream.concat(view.liveMemtables.stream(), view.flushingMemtables.stream())
        .anyMatch(memtable -> memtable instanceof RocksMemtable && hasRows(memtable));
  }

  private static boolean hasRows(Memtable other) {
    return !(other instanceof RocksMemtable) || ((RocksMemtable) other).store().state().isLive();
  }

  private View view() {
    return owner instanceof ColumnFamilyStore ? table().getTracker().getView() : null;
  }

  private ColumnFamilyStore table() {
    return (ColumnFamilyStore) owner;
  }
}
