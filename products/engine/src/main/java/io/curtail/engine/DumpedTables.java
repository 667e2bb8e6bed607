/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.operation.TableStores;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.Memtable;

/**
 * Tables that Cassandra truncates without a snapshot: it asks no memtable then whether it is to be
 * flushed, but makes the next one, throws the last away, and discards the data files later, or
 * never if the process dies or something cannot be stopped for it. A table with such files beside
 * RocksDB would have lost what was deleted in them.
 *
 * <p>So its rows go to data files first, all of which go together: another flush comes before the
 * one that throws away, which then has a memtable that is a moment old. What was written in that
 * moment stays, since it was written after the truncation began and may have deleted something: the
 * next memtable goes on with the same rows.
 */
final class DumpedTables {
  private DumpedTables() {}

  /**
   * Cassandra makes a memtable, and holds its lock of the table: moves the last one out, if it is
   * the one to do.
   *
   * @return whose rows the memtable goes on with; null if it begins anew
   */
  static RocksMemtable moveOut(Memtable.Owner owner) {
    RocksMemtable current = current(owner);
    if (current == null || current.isHandedOn()) {
      return current; // an index, after its table
    }
    if (!mustMove(owner, current)) {
      return null;
    }
    flush(owner);
    List<RocksMemtable> next = new ArrayList<>();
    for (ColumnFamilyStore each : ((ColumnFamilyStore) owner).concatWithIndexes()) {
      RocksMemtable made = current(each);
      if (made == null) {
        return null; // an index in Cassandra's memtable loses its entries, so its rows go too
      }
      next.add(made);
    }
    next.forEach(RocksMemtable::handOn);
    return current(owner);
  }

  /** The same for a memtable of Cassandra. */
  static void moveOutForGood(Memtable.Owner owner) {
    RocksMemtable current = current(owner);
    if (current != null && mustMove(owner, current)) {
      flush(owner);
    }
  }

  /**
   * What Cassandra replaces, which begins with the table, notes what becomes of the rows: that and
   * its indexes, or nothing is replaced.
   */
  static void leaveRows(Memtable.Owner owner) {
    if (!(owner instanceof ColumnFamilyStore) || ((ColumnFamilyStore) owner).getTracker() == null) {
      return;
    }
    for (ColumnFamilyStore each : ((ColumnFamilyStore) owner).concatWithIndexes()) {
      RocksMemtable current = current(each);
      if (current != null && !current.isHandedOn()) {
        current.leaveRows();
      }
    }
  }

  /** What becomes of the rows of one memtable. */
  static void leaveRows(Memtable.Owner owner, TableStores stores, TableStore store) {
    if (isDropped(owner)) {
      stores.killInTime(store); // the schema must go on
    } else if (store.isIndex && store.state() == GenerationState.SERVING) {
      // Flushed with its table, which has another memtable and was not asked by us.
      store.setState(GenerationState.MOVING_OUT);
    } else if (store.state() != GenerationState.MOVING_OUT) {
      stores.kill(store);
    }
  }

  /** Whether the table, or that of the index, is none of Cassandra's any more. */
  private static boolean isDropped(Memtable.Owner owner) {
    if (!(owner instanceof ColumnFamilyStore)) {
      return false;
    }
    ColumnFamilyStore table = (ColumnFamilyStore) owner;
    return !table.keyspace.hasColumnFamilyStore(table.metadata.id);
  }

  /** If Cassandra flushes it, or its index, that was told it before; if it is dropped, none is. */
  private static boolean mustMove(Memtable.Owner owner, RocksMemtable current) {
    ColumnFamilyStore table = (ColumnFamilyStore) owner;
    return !table.isIndex()
        && table.keyspace.hasColumnFamilyStore(table.metadata.id)
        && current.coversOthers();
  }

  /** Cassandra ends flushes in their order, and waits for the one that it is about to make. */
  private static void flush(Memtable.Owner owner) {
    Future<?> unused =
        ((ColumnFamilyStore) owner).forceFlush(ColumnFamilyStore.FlushReason.TRUNCATE);
  }

  private static RocksMemtable current(Memtable.Owner owner) {
    if (!(owner instanceof ColumnFamilyStore)) {
      return null;
    }
    ColumnFamilyStore table = (ColumnFamilyStore) owner;
    if (table.getTracker() == null) {
      return null; // it is being opened
    }
    Memtable current = table.getTracker().getView().getCurrentMemtable();
    return current instanceof RocksMemtable ? (RocksMemtable) current : null;
  }
}
