/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.GenerationState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;

/**
 * Tells Cassandra's commit log that it need not keep what a table has in it whose rows are in
 * RocksDB, where Cassandra would keep each segment until that table is flushed: while its
 * definition has another memtable, again and again, and beside {@linkplain OlderIndexes indexes}
 * that may lose entries. What is given up is on the disk in the engine's own log. For one thread.
 *
 * <p>Only what nobody else may need: a memtable of Cassandra that is older, of the table or of an
 * index, or one with entries that an older index has now.
 */
public final class CommitLogRelease {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private long last = System.nanoTime() - PERIOD_NANOS;

  /** Releases, unless that was just done, what tables have whose memtable is their only one. */
  void releaseIfDue(Supplier<Map<ColumnFamilyStore, StoredTable>> leaving) {
    if (System.nanoTime() - last >= PERIOD_NANOS) {
      release(leaving.get());
      last = System.nanoTime();
    }
  }

  /**
   * Releases what tables have now, each with its memtable; waits for the writes that have begun.
   */
  public static void release(Map<ColumnFamilyStore, StoredTable> tables) {
    Map<ColumnFamilyStore, StoredTable> inRocks = new HashMap<>(tables);
    inRocks.entrySet().removeIf(table -> !isAllInRocks(table.getKey(), table.getValue()));
    if (inRocks.isEmpty()) {
      return;
    }
    CommitLogPosition written = written();
    Keyspace.writeOrder.awaitNewBarrier();
    inRocks.values().iterator().next().store().database.logSync.sync();
    inRocks.forEach(
        (table, memtable) -> {
          // A memtable that follows has no write from before it is seen here.
          if (isAllInRocks(table, memtable)) {
            CommitLog.instance.discardCompletedSegments(
                table.metadata.id, memtable.getCommitLogLowerBound(), written);
          }
        });
  }

  /** Where the writes end that have begun. */
  static CommitLogPosition written() {
    CommitLogPosition now = CommitLog.instance.getCurrentPosition();
    // Where the next write begins, which counts as its place, may be there already.
    return new CommitLogPosition(now.segmentId, Math.max(0, now.position - 1));
  }

  /**
   * Releases what a table has written up to there, once its older indexes have flushed that; waits
   * for the writes that have begun.
   *
   * @param before the memtables of the indexes that may have some of it
   */
  static void release(
      ColumnFamilyStore table,
      StoredTable memtable,
      CommitLogPosition written,
      Map<ColumnFamilyStore, List<Memtable>> before) {
    Keyspace.writeOrder.awaitNewBarrier();
    memtable.store().database.logSync.sync();
    for (ColumnFamilyStore index : before.keySet()) {
      for (Memtable left : index.getTracker().getView().getAllMemtables()) {
        if (!(left instanceof StoredTable) && before.get(index).contains(left)) {
          return; // an earlier flush failed or goes on
        }
      }
    }
    if (OnlyMemtable.of(table) != null && isServedBy(memtable, table)) {
      CommitLog.instance.discardCompletedSegments(
          table.metadata.id, memtable.getCommitLogLowerBound(), written);
    }
  }

  private static boolean isAllInRocks(ColumnFamilyStore table, StoredTable memtable) {
    for (ColumnFamilyStore each : table.concatWithIndexes()) {
      Memtable only = OnlyMemtable.of(each);
      if (only == null || !(only instanceof StoredTable || only.isClean())) {
        return false;
      }
    }
    return isServedBy(memtable, table);
  }

  private static boolean isServedBy(StoredTable memtable, ColumnFamilyStore table) {
    return table.getTracker().getView().getCurrentMemtable() == memtable
        && memtable.store().state() == GenerationState.SERVING;
  }
}
