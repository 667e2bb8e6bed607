/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import com.google.common.collect.Iterators;
import io.curtail.engine.store.Family;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.AbstractIterator;

/**
 * The partitions of a range on their way into a data file of Cassandra: for streaming and repair,
 * or because the table moves to another memtable.
 */
public final class FlushSet implements Memtable.FlushablePartitionSet<Partition> {
  private final Memtable memtable;
  private final TableStore store;
  private final TableMetadata metadata;
  private final PartitionPosition from;
  private final PartitionPosition to;
  private final CommitLogPosition lowerBound;
  private final CommitLogPosition upperBound;
  private final ChangedPartitions only;
  private final Runnable beforeEach;
  private long partitions;
  private long keyBytes;

  /** For a copy, which has no part in the commit log. */
  public FlushSet(
      Memtable memtable,
      TableStore store,
      PartitionPosition from,
      PartitionPosition to,
      ChangedPartitions only) {
    this(memtable, store, from, to, CommitLogPosition.NONE, CommitLogPosition.NONE, only);
  }

  /**
   * For a file that is only good for now.
   *
   * @param mark the only position of the commit log that the file has
   * @param beforeEach is run when a partition is taken; kept as long as another may be
   */
  public FlushSet(
      Memtable memtable,
      TableStore store,
      PartitionPosition from,
      PartitionPosition to,
      CommitLogPosition mark,
      Runnable beforeEach) {
    this(memtable, store, from, to, mark, mark, null, beforeEach);
  }

  /**
   * @param only the partitions to take; null for all
   */
  public FlushSet(
      Memtable memtable,
      TableStore store,
      PartitionPosition from,
      PartitionPosition to,
      CommitLogPosition lowerBound,
      CommitLogPosition upperBound,
      ChangedPartitions only) {
    this(memtable, store, from, to, lowerBound, upperBound, only, () -> {});
  }

  private FlushSet(
      Memtable memtable,
      TableStore store,
      PartitionPosition from,
      PartitionPosition to,
      CommitLogPosition lowerBound,
      CommitLogPosition upperBound,
      ChangedPartitions only,
      Runnable beforeEach) {
    this.memtable = memtable;
    this.store = store;
    this.metadata = memtable.metadata();
    this.from = from;
    this.to = to;
    this.lowerBound = lowerBound;
    this.upperBound = upperBound;
    this.only = only;
    this.beforeEach = beforeEach;
    keys()
        .forEachRemaining(
            key -> {
              keyBytes += key.getKeyLength();
              partitions++;
            });
    if (only == null && partitions > 0 && areAllEmpty()) {
      partitions = 0;
    }
  }

  /** As of a column that was dropped: a file that is begun for them could not be ended. */
  private boolean areAllEmpty() {
    try (PartitionScan scan = PartitionScan.between(store, from, to)) {
      while (scan.hasNext()) {
        if (!new StoredPartition(store, metadata, scan.next()).isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public Memtable memtable() {
    return memtable;
  }

  @Override
  public PartitionPosition from() {
    return from;
  }

  @Override
  public PartitionPosition to() {
    return to;
  }

  @Override
  public CommitLogPosition commitLogLowerBound() {
    return lowerBound;
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return upperBound;
  }

  @Override
  public RegularAndStaticColumns columns() {
    return metadata.regularAndStaticColumns();
  }

  @Override
  public EncodingStats encodingStats() {
    return EncodingStats.NO_STATS;
  }

  @Override
  public long partitionCount() {
    return partitions;
  }

  @Override
  public long partitionKeysSize() {
    return keyBytes;
  }

  @Override
  public long dataSize() {
    // Rather more than all rows take: disks are chosen by it.
    return store.fileBytes() + memtable.getLiveDataSize();
  }

  /**
   * The partitions, read as they are taken.
   *
   * @throws IllegalStateException if they have gone since this was made
   */
  @Override
  public Iterator<Partition> iterator() {
    Iterator<Partition> found = Iterators.transform(keys(), this::take);
    try (Family.Use use = store.use()) {
      if (use == null && partitions > 0) {
        throw StoredPartition.hasMoved(store);
      }
    }
    return found;
  }

  private Partition take(DecoratedKey key) {
    beforeEach.run();
    return new StoredPartition(store, metadata, key);
  }

  private Iterator<DecoratedKey> keys() {
    if (from != null && store.keys.isBehindAll(from)) {
      return Collections.emptyIterator();
    }
    if (only != null) {
      Collection<byte[]> some =
          only.between(
              from == null ? null : store.keys.bound(from, false),
              to == null ? null : store.keys.bound(to, false));
      return Iterators.transform(some.iterator(), key -> store.keys.decode(key, key.length));
    }
    PartitionScan scan = PartitionScan.between(store, from, to);
    return new AbstractIterator<DecoratedKey>() {
      @Override
      protected DecoratedKey computeNext() {
        return scan.hasNext() ? scan.next() : endOfData();
      }
    };
  }
}
