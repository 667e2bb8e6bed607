/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.GenerationState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.memtable.Memtable;

/**
 * Flushes legacy indexes that are older than their table is in RocksDB: until the node is started
 * again they keep memtables of Cassandra, which it flushes with their table, and that never is. So
 * they would fill the memory of all its memtables, and the commit log would keep what they have.
 *
 * <p>When {@linkplain OlderIndexFlush all of a table} were flushed, the commit log gives up what
 * the table has written before, whose rows are in the engine's log, as durable as that promises.
 * While there is such an index Cassandra keeps the writes of other tables in RocksDB as well: it is
 * told of those.
 *
 * <p>Not thread-safe.
 */
public final class OlderIndexes {
  /** Of the memory of all memtables. */
  private static final double MOST_SHARE = 0.1;

  private static final long MOST_AGE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** By table, what Cassandra asked for, until the commit log gives up what that was for. */
  private static final Map<ColumnFamilyStore, OlderIndexFlush> asked = new ConcurrentHashMap<>();

  private final Database database;
  private final TableStores stores;

  /** By table, when entries were first seen that no flush was begun for. */
  private final Map<ColumnFamilyStore, Long> since = new HashMap<>();

  /** By table, what has begun. */
  private final Map<ColumnFamilyStore, OlderIndexFlush> flushes = new HashMap<>();

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
    OlderIndexFlush flush = new OlderIndexFlush(table, memtable, reason);
    if (reason == FlushReason.DRAIN) {
      flush.release();
    } else if (flush.isAny()) {
      asked.putIfAbsent(table, flush); // not the last, which may go on whenever anybody looks
    }
  }

  /** Flushes those of all tables if they take much memory, and each that was not for a while. */
  void flushIfDue() {
    Map<ColumnFamilyStore, StoredTable> tables = tables();
    Map<ColumnFamilyStore, List<Memtable>> older = older(tables);
    since.keySet().retainAll(older.keySet());
    flushes.keySet().retainAll(older.keySet());
    asked.keySet().retainAll(older.keySet());
    if (older.isEmpty() || database.logSync.hasFailed()) {
      return;
    }
    database.logSync.sync();
    flushes.values().removeIf(OlderIndexes::releaseIfDone);
    asked.values().removeIf(OlderIndexes::releaseIfDone);
    double share =
        older.values().stream().flatMap(List::stream).mapToDouble(OlderIndexes::share).sum();
    boolean isMuch = share > MOST_SHARE;
    long now = System.nanoTime();
    older.forEach(
        (table, memtables) -> {
          if (flushes.containsKey(table) || memtables.stream().allMatch(Memtable::isClean)) {
            return;
          }
          boolean isOld = now - since.computeIfAbsent(table, seen -> now) >= MOST_AGE_NANOS;
          if (isMuch || isOld) {
            FlushReason why = isMuch ? FlushReason.MEMTABLE_LIMIT : FlushReason.COMMITLOG_DIRTY;
            flushes.put(table, new OlderIndexFlush(table, tables.get(table), why));
            since.remove(table);
          }
        });
    CommitLogRelease.release(tables);
  }

  private static boolean releaseIfDone(OlderIndexFlush flush) {
    if (flush.isDone()) {
      flush.release();
      return true;
    }
    return false;
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

  /** The memtables that those have now. */
  private static Map<ColumnFamilyStore, List<Memtable>> older(
      Map<ColumnFamilyStore, StoredTable> tables) {
    Map<ColumnFamilyStore, List<Memtable>> older = new LinkedHashMap<>();
    tables.forEach(
        (table, memtable) -> {
          if (OnlyMemtable.of(table) == memtable
              && memtable.store().state() == GenerationState.SERVING) {
            List<Memtable> memtables = new ArrayList<>();
            for (ColumnFamilyStore index : table.indexManager.getAllIndexColumnFamilyStores()) {
              Memtable current = index.getCurrentMemtable();
              if (!(current instanceof StoredTable)) {
                memtables.add(current);
              }
            }
            if (!memtables.isEmpty()) {
              older.put(table, memtables);
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
