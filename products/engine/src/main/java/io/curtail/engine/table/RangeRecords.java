/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.RangeRecord;
import io.curtail.engine.store.Batch;
import java.util.Iterator;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RangeTombstoneList;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The range tombstones of a partition: a set of disjoint ranges, each one {@linkplain RangeRecord
 * record} under its end bound, so that the ranges that touch a slice are one run.
 *
 * <p>The set is changed under the partition's exclusive lock; {@link RangeTombstoneList} decides
 * what a new range does to those that it touches.
 */
final class RangeRecords {
  private RangeRecords() {}

  /** Adds ranges to the stored set; the caller has the partition to itself. */
  static void add(
      TableStore store,
      Batch batch,
      ClusteringComparator comparator,
      byte[] partition,
      Iterator<RangeTombstone> added)
      throws RocksDBException {
    RangeTombstoneList additions = new RangeTombstoneList(comparator, 4);
    while (added.hasNext()) {
      RangeTombstone range = added.next();
      if (!range.deletedSlice().isEmpty(comparator)) {
        additions.add(range);
      }
    }
    if (additions.isEmpty()) {
      return;
    }
    ColumnFamilyHandle family = store.familyToWrite();
    // Not all between the first and the last: they may be far apart.
    RangeTombstoneList ranges = new RangeTombstoneList(comparator, 4);
    try (RocksIterator records = store.database.partitionIterator(family)) {
      RangeWalk walk = new RangeWalk(store, records, comparator, partition);
      for (RangeTombstone addition : additions) {
        walk.forward(addition.deletedSlice(), Integer.MAX_VALUE, ranges);
      }
    }
    for (RangeTombstone stored : ranges) {
      batch.delete(family, RangeRecord.key(comparator, partition, stored));
    }
    ranges.addAll(additions);
    for (RangeTombstone range : ranges) {
      batch.put(family, RangeRecord.key(comparator, partition, range), RangeRecord.encode(range));
    }
  }
}
