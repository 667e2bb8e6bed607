/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.codec.Keys;
import io.curtail.engine.store.Batch;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.TableStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * Removes the partitions of a table that this node has no part in any more, as {@code nodetool
 * cleanup} does with data files.
 *
 * <p>The node may get a part back meanwhile, and hear of it later than those who write to it. So a
 * record goes only if it was there when its range was begun and has not changed, which is looked at
 * under the partition's lock, with the {@linkplain OwnedRanges ring} looked at again. What deletes
 * rows goes after them, and stays with a partition that was written meanwhile: nothing may rise if
 * the node gets it back.
 *
 * <p>Entries of legacy indexes stay; queries leave them out. For one thread.
 */
public final class CleanUp {
  /** Read under one hold of the lock: some milliseconds. */
  private static final int BYTES_A_HOLD = 256 << 10;

  private final TableMetadata metadata;
  private final TableStore store;
  private final OwnedRanges owned;
  private final Tasks.Task task;

  /**
   * @throws IllegalArgumentException for an index
   * @throws IllegalStateException if nodes join, leave or move
   */
  public CleanUp(StoredTable memtable, Tasks.Task task) {
    this.task = task;
    store = memtable.store();
    metadata = memtable.metadata();
    if (store.isIndex) {
      throw new IllegalArgumentException(
          "an index cannot be cleaned: queries leave out what has no row");
    }
    owned = new OwnedRanges(metadata.keyspace);
  }

  /**
   * Removes them.
   *
   * @return how many partitions lost records
   * @throws IllegalStateException if the ring or the table changes meanwhile; may be run again
   */
  public long run() {
    refuseFilesWithOthersRows();
    long removed = 0;
    try (Family.Use use = store.use()) {
      if (use != null) {
        for (Range<Token> lost : owned.complement()) {
          removed += remove(use.handle, lost);
        }
      }
      return removed;
    } finally {
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(metadata.id);
      if (table != null) {
        table.cleanupCache();
      }
    }
  }

  /** Absorbed later they would bring back here what is removed. */
  private void refuseFilesWithOthersRows() {
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(metadata.id);
    if (table == null || store.changes() != null) {
      return;
    }
    List<Range<Token>> others = owned.complement();
    try (ColumnFamilyStore.RefViewFragment files =
        table.selectAndReference(View.selectFunction(SSTableSet.CANONICAL))) {
      for (SSTableReader file : files.sstables) {
        if (!file.getPositionsForRanges(others).isEmpty()) {
          throw new IllegalStateException(
              "Cassandra's data files beside the table have partitions that other nodes have now:"
                  + " run nodetool cleanup of it first, then this again");
        }
      }
    }
  }

  private long remove(ColumnFamilyHandle family, Range<Token> lost) {
    if (store.keys.isBehindAll(lost.left.maxKeyBound())) {
      return 0;
    }
    byte[] from = store.keys.bound(lost.left.maxKeyBound(), false);
    byte[] to = store.keys.bound(lost.right.maxKeyBound(), false);
    long removed = 0;
    try (Slice bound = to == null ? null : new Slice(to);
        ReadOptions reading = DatabaseOptions.readingThrough()) {
      if (bound != null) {
        reading.setIterateUpperBound(bound);
      }
      try (RocksIterator records = store.database.iterator(family, reading)) {
        records.seek(from == null ? new byte[0] : from);
        while (records.isValid()) {
          byte[] key = records.key();
          byte[] partition = Arrays.copyOf(key, store.keys.length(key));
          Token token = store.keys.decode(key, partition.length).getToken();
          task.at(token);
          // Bounds that are wrong must not remove what the node owns.
          if (lost.contains(token) && new Partition(family, partition, records).remove()) {
            removed++;
          }
          records.seek(Keys.record(partition, Keys.END));
        }
        store.database.check(records);
      }
    }
    return removed;
  }

  /** One partition. */
  private final class Partition {
    private final ColumnFamilyHandle family;
    private final byte[] partition;
    private final RocksIterator before;
    private byte[] next;
    private boolean isWritten;
    private boolean isRemoved;
    private long bytes;

    /**
     * @param before its records as they were when its range was begun
     */
    Partition(ColumnFamilyHandle family, byte[] partition, RocksIterator before) {
      this.family = family;
      this.partition = partition;
      this.before = before;
      next = Keys.record(partition, Keys.ROW);
    }

    /** Returns whether anything was removed. */
    boolean remove() {
      hold();
      while (next != null) {
        // Before what deleted these rows.
        store.database.logSync.sync();
        hold();
      }
      return isRemoved;
    }

    /** Removes some rows, and after the last of them the rest. */
    private void hold() {
      bytes = 0;
      Lock lock = store.locks.exclusive(partition);
      lock.lock();
      try (RocksIterator now = store.database.partitionIterator(family)) {
        owned.check();
        if (store.state() != GenerationState.SERVING) {
          throw new IllegalStateException(
              "the table was emptied, dropped or altered meanwhile; what it has in Cassandra's data"
                  + " files needs nodetool cleanup");
        }
        Batch batch = new Batch();
        byte[] from = next;
        next = take(batch, now, from, Keys.record(partition, Keys.END), BYTES_A_HOLD);
        if (next == null && !isWritten && !hasRowsBefore(from, now)) {
          byte[] rows = Keys.record(partition, Keys.ROW);
          batch.setHasHeaders();
          take(batch, now, Keys.record(partition, Keys.HEADER), rows, Integer.MAX_VALUE);
        }
        if (!isWritten && batch.count() > 0) {
          store.database.write(batch, List.of(partition));
          isRemoved = true;
        }
      } finally {
        lock.unlock();
      }
      task.read(bytes);
    }

    /** Rows that were written after a hold had gone past them. */
    private boolean hasRowsBefore(byte[] end, RocksIterator now) {
      now.seek(Keys.record(partition, Keys.ROW));
      return now.isValid() && Arrays.compareUnsigned(now.key(), end) < 0;
    }

    /**
     * Takes records if they are as they were.
     *
     * @param most bytes after which it stops
     * @return where to go on; null if there is nothing more to take
     */
    private byte[] take(Batch batch, RocksIterator now, byte[] from, byte[] to, int most) {
      now.seek(from);
      before.seek(from);
      while (now.isValid() && Arrays.compareUnsigned(now.key(), to) < 0) {
        byte[] key = now.key();
        byte[] value = now.value();
        if (bytes >= most) {
          return key;
        }
        while (before.isValid() && Arrays.compareUnsigned(before.key(), key) < 0) {
          before.next();
        }
        isWritten =
            !before.isValid()
                || !Arrays.equals(before.key(), key)
                || !Arrays.equals(before.value(), value);
        if (isWritten) {
          return null;
        }
        batch.delete(family, key);
        bytes += key.length + value.length;
        now.next();
      }
      store.database.check(now);
      store.database.check(before);
      return null;
    }
  }
}
