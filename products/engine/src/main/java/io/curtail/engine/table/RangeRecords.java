/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RangeRecord;
import io.curtail.engine.store.Batch;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RangeTombstoneList;
import org.apache.cassandra.db.Slice;
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

  /** The stored ranges that touch a slice, using an iterator that this moves. */
  static RangeTombstoneList overlapping(
      TableStore store,
      RocksIterator records,
      ClusteringComparator comparator,
      byte[] partition,
      Slice slice) {
    return overlapping(store, records, comparator, partition, slice, bytes -> {});
  }

  /**
   * The same.
   *
   * @param read told how many bytes each has
   */
  static RangeTombstoneList overlapping(
      TableStore store,
      RocksIterator records,
      ClusteringComparator comparator,
      byte[] partition,
      Slice slice,
      LongConsumer read) {
    RangeTombstoneList ranges = new RangeTombstoneList(comparator, 4);
    byte[] prefix = Keys.record(partition, Keys.RANGE);
    records.seek(Comparables.record(partition, Keys.RANGE, comparator, slice.start()));
    while (records.isValid()) {
      byte[] key = records.key();
      if (!Keys.hasPrefix(key, prefix)) {
        break;
      }
      byte[] value = records.value();
      read.accept(key.length + value.length);
      RangeTombstone range = RangeRecord.decode(value);
      if (comparator.compare(range.deletedSlice().start(), slice.end()) >= 0) {
        break;
      }
      ranges.add(range);
      records.next();
    }
    store.database.check(records);
    return ranges;
  }

  /** Adds ranges to the stored set; the caller has the partition to itself. */
  static void add(
      TableStore store,
      Batch batch,
      ClusteringComparator comparator,
      byte[] partition,
      Iterator<RangeTombstone> added)
      throws RocksDBException {
    RangeTombstoneList additions = new RangeTombstoneList(comparator, 4);
    ClusteringBound<?> start = null;
    ClusteringBound<?> end = null;
    while (added.hasNext()) {
      RangeTombstone range = added.next();
      Slice slice = range.deletedSlice();
      if (slice.isEmpty(comparator)) {
        continue;
      }
      additions.add(range);
      start = start == null || comparator.compare(slice.start(), start) < 0 ? slice.start() : start;
      end = end == null || comparator.compare(slice.end(), end) > 0 ? slice.end() : end;
    }
    if (start == null) {
      return;
    }
    ColumnFamilyHandle family = store.familyToWrite();
    RangeTombstoneList ranges;
    try (RocksIterator records = store.database.partitionIterator(family)) {
      ranges = overlapping(store, records, comparator, partition, Slice.make(start, end));
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
