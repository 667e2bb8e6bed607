/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A flush of all {@linkplain OlderIndexes older indexes} of a table, at once: when all have ended
 * the commit log need not keep what was written before it began. One index that is flushed says
 * nothing of the entries that another has of the same writes.
 *
 * <p>For one thread at a time.
 */
final class OlderIndexFlush {
  private static final Logger logger = LoggerFactory.getLogger(OlderIndexFlush.class);

  private final ColumnFamilyStore table;
  private final StoredTable memtable;

  /** What was written up to here is in memtables that are flushed, or in RocksDB. */
  private final CommitLogPosition written = CommitLogRelease.written();

  private final List<Future<?>> flushes = new ArrayList<>();

  /** What the indexes had when it began, earlier flushes that go on or failed included. */
  private final Map<ColumnFamilyStore, List<Memtable>> before = new HashMap<>();

  /** Begins. */
  OlderIndexFlush(
      ColumnFamilyStore table, StoredTable memtable, ColumnFamilyStore.FlushReason reason) {
    this.table = table;
    this.memtable = memtable;
    for (ColumnFamilyStore index : table.indexManager.getAllIndexColumnFamilyStores()) {
      Memtable current = index.getCurrentMemtable();
      before.put(index, Lists.newArrayList(index.getTracker().getView().getAllMemtables()));
      if (!(current instanceof StoredTable)) {
        flushes.add(index.switchMemtableIfCurrent(current, reason));
      }
    }
  }

  /** Whether the table has older indexes. */
  boolean isAny() {
    return !flushes.isEmpty();
  }

  /** Whether all have ended, well or not. */
  boolean isDone() {
    return flushes.stream().allMatch(Future::isDone);
  }

  /** Waits for all, and has the commit log give up what came before, unless one failed. */
  void release() {
    try {
      for (Future<?> flush : flushes) {
        flush.get();
      }
    } catch (ExecutionException e) {
      // Cassandra has logged why. What the index lacks is read from the commit log at a start.
      logger.warn(
          "The commit log keeps what {} has written, since an index was not flushed",
          memtable.name());
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    CommitLogRelease.release(table, memtable, written, before);
  }
}
