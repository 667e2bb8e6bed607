/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.GenerationState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.memtable.Memtable;

/**
 * Flushes legacy indexes that are older than their table is in RocksDB: until the node is started
 * again they keep memtables of Cassandra, which it flushes with their table, and that never is. So
 * they would fill the memory of all its memtables, and the commit log would keep what they have.
 *
 * <p>When an index was flushed, the commit log gives up what its table has written since the flush
 * before, whose rows are in the engine's log, as durable as that promises. While there is such an
 * index Cassandra keeps the writes of other tables in RocksDB as well: it is told of those.
 *
 * <p>Not thread-safe.
 */
public final class OlderIndexes {
  /** Of the memory of all memtables. */
  private static final double MOST_SHARE = 0.1;

  private static final long MOST_AGE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Database database;
  private final TableStores stores;

  /** When each of their memtables was first seen. */
  private final Map<Memtable, Long> since = new HashMap<>();

  OlderIndexes(Database database, TableStores stores) {
    this.database = database;
    this.stores = stores;
  }

  /**
   * Flushes those of a table that is asked to flush, and stays where it is. Only a node that drains
   * waits for it.
   */
  public static void flush(ColumnFamilyStore table, StoredTable memtable, FlushReason reason) {
    if (memtable.store().isIndex || memtable.store().state() != GenerationState.SERVING) {
      return;
    }
    for (ColumnFamilyStore index : table.indexManager.getAllIndexColumnFamilyStores()) {
      Memtable current = index.getCurrentMemtable();
      if (!(current instanceof StoredTable)) {
        Future<?> unused = index.switchMemtableIfCurrent(current, reason);
      }
    }
    if (reason == FlushReason.DRAIN) {
      CommitLogRelease.release(table, memtable);
    }
  }

  /** Flushes those of all tables if they take much memory, and each that was not for a while. */
  void flushIfDue() {
    Map<ColumnFamilyStore, StoredTable> tables = tables();
    Map<Memtable, ColumnFamilyStore> older = older(tables);
    since.keySet().retainAll(older.keySet());
    if (older.isEmpty() || database.logSync.hasFailed()) {
      return;
    }
    database.logSync.sync();
    boolean isMuch = older.keySet().stream().mapToDouble(OlderIndexes::share).sum() > MOST_SHARE;
    long now = System.nanoTime();
    older.forEach(
        (memtable, index) -> {
          boolean isOld = now - since.computeIfAbsent(memtable, seen -> now) >= MOST_AGE_NANOS;
          if (!memtable.isClean() && (isMuch || isOld)) {
            FlushReason why = isMuch ? FlushReason.MEMTABLE_LIMIT : FlushReason.COMMITLOG_DIRTY;
            Future<?> unused = index.switchMemtableIfCurrent(memtable, why);
          }
        });
    CommitLogRelease.release(tables);
  }

  private Map<ColumnFamilyStore, StoredTable> tables() {
    Map<ColumnFamilyStore, StoredTable> tables = new LinkedHashMap<>();
    for (StoredTable memtable : stores.memtables()) {
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
      if (table != null && !memtable.store().isIndex) {
        tables.put(table, memtable);
      }
    }
    return tables;
  }

  private static Map<Memtable, ColumnFamilyStore> older(
      Map<ColumnFamilyStore, StoredTable> tables) {
    Map<Memtable, ColumnFamilyStore> older = new LinkedHashMap<>();
    tables.forEach(
        (table, memtable) -> {
          if (OnlyMemtable.of(table) == memtable
              && memtable.store().state() == GenerationState.SERVING) {
            for (ColumnFamilyStore index : table.indexManager.getAllIndexColumnFamilyStores()) {
              Memtable current = index.getCurrentMemtable();
              if (!(current instanceof StoredTable) && OnlyMemtable.of(index) == current) {
                older.put(current, index);
              }
            }
          }
        });
    return older;
  }

  private static double share(Memtable memtable) {
    Memtable.MemoryUsage usage = Memtable.getMemoryUsage(memtable);
    return Math.max(usage.ownershipRatioOnHeap, usage.ownershipRatioOffHeap);
  }
}
