/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable.LastCommitLogPosition;
import org.apache.cassandra.schema.TableMetadataRef;

/**
 * What a memtable of Cassandra's own answers whose table may have just moved out of RocksDB, so
 * that whoever asks gets all rows or none.
 *
 * <p>Cassandra flushes a table before it reads the data files for a stream, a repair or a snapshot,
 * unless the memtable is clean. A memtable that was made while the rows of RocksDB were on their
 * way to data files is never clean, so that its flush is waited for, and theirs before it. Who
 * finds it without one has flushed the table before it was altered, and may have chosen data files
 * that lack those rows.
 *
 * <p>Thread-safe.
 */
public final class MoveGuard {
  private static final LastCommitLogPosition NOTHING =
      new LastCommitLogPosition(CommitLogPosition.NONE);

  private final TableMetadataRef table;
  private final boolean isIndex;
  private final boolean isBesideMove;

  /** Who flushes the memtable; null if nobody does. */
  private volatile Thread flusher;

  /**
   * @param isBesideMove whether rows of the table are on their way, or will be at once
   */
  public MoveGuard(TableMetadataRef table, boolean isBesideMove) {
    this.table = table;
    isIndex = table.get().isIndex();
    this.isBesideMove = isBesideMove;
  }

  /** Whether a memtable with nothing in it need not be flushed. */
  boolean isClean() {
    return !isBesideMove;
  }

  /**
   * From where on the commit log gives up what the memtable has had, when it is flushed alone.
   * Nothing if it is an index's: what that was told of is its table's as well, and of other
   * indexes, which need not be flushed.
   */
  CommitLogPosition lowerBound(CommitLogPosition own) {
    return isIndex ? CommitLogPosition.NONE : own;
  }

  /** Up to where. */
  LastCommitLogPosition upperBound(LastCommitLogPosition own) {
    return isIndex ? NOTHING : own;
  }

  /** This thread flushes the memtable, and asks for its partitions next. */
  void flushes() {
    flusher = Thread.currentThread();
  }

  /**
   * Whether this thread flushes the memtable; if not, it asks for what is in memory and in no file,
   * as of a table in RocksDB.
   *
   * @throws IllegalStateException if it would not get all rows, since some move
   */
  boolean isFlushing() {
    if (Thread.currentThread() == flusher) {
      return true;
    }
    if (isBesideMove) {
      throw StoredPartition.hasMoved(table.keyspace + "." + table.name);
    }
    return false;
  }
}
