/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.nio.ByteBuffer;
import java.util.Iterator;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RangeTombstoneList;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The range tombstones of a partition: a set of disjoint ranges, each one record under the
 * comparable form of its end bound, so that the ranges that touch a slice are one run.
 *
 * <pre>value = timestamp:8 localDeletionTime:unsigned bound bound
 * bound = flags:1 components:unsigned (present:1 [bytes])*</pre>
 *
 * <p>The set is changed under the partition's exclusive lock; {@link RangeTombstoneList} decides
 * what a new range does to those that it touches.
 */
final class RangeRecords {
  private static final int START = 0x01;
  private static final int INCLUSIVE = 0x02;

  private RangeRecords() {}

  /** The stored ranges that touch a slice, using an iterator that this moves. */
  static RangeTombstoneList overlapping(
      TableStore store,
      RocksIterator records,
      ClusteringComparator comparator,
      byte[] partition,
      Slice slice) {
    RangeTombstoneList ranges = new RangeTombstoneList(comparator, 4);
    byte[] prefix = Keys.record(partition, Keys.RANGE);
    byte[] start = Comparables.clustering(comparator, slice.start());
    records.seek(Keys.record(partition, Keys.RANGE, start));
    while (records.isValid() && Keys.hasPrefix(records.key(), prefix)) {
      RangeTombstone range = decode(records.value());
      if (comparator.compare(range.deletedSlice().start(), slice.end()) >= 0) {
        break;
      }
      ranges.add(range);
      records.next();
    }
    store.engine.check(records);
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
    try (RocksIterator records = store.engine.partitionIterator(family)) {
      ranges = overlapping(store, records, comparator, partition, Slice.make(start, end));
    }
    for (RangeTombstone stored : ranges) {
      batch.delete(family, key(comparator, partition, stored));
    }
    ranges.addAll(additions);
    for (RangeTombstone range : ranges) {
      batch.put(family, key(comparator, partition, range), encode(range));
    }
  }

  static byte[] key(ClusteringComparator comparator, byte[] partition, RangeTombstone range) {
    byte[] end = Comparables.clustering(comparator, range.deletedSlice().end());
    return Keys.record(partition, Keys.RANGE, end);
  }

  static byte[] encode(RangeTombstone range) {
    ByteWriter out = new ByteWriter();
    out.writeLong(range.deletionTime().markedForDeleteAt());
    out.writeUnsigned(range.deletionTime().localDeletionTime());
    bound(out, range.deletedSlice().start());
    bound(out, range.deletedSlice().end());
    return out.toArray();
  }

  private static void bound(ByteWriter out, ClusteringBound<?> bound) {
    out.write((bound.isStart() ? START : 0) | (bound.isInclusive() ? INCLUSIVE : 0));
    out.writeUnsigned(bound.size());
    for (int i = 0; i < bound.size(); i++) {
      ByteBuffer component = bound.bufferAt(i);
      out.write(component == null ? 0 : 1);
      if (component != null) {
        out.writeBytes(component);
      }
    }
  }

  static RangeTombstone decode(byte[] value) {
    ByteReader in = new ByteReader(value);
    DeletionTime time = DeletionTime.build(in.readLong(), in.readUnsigned());
    ClusteringBound<?> start = bound(in);
    return new RangeTombstone(Slice.make(start, bound(in)), time);
  }

  private static ClusteringBound<?> bound(ByteReader in) {
    int flags = in.read();
    ClusteringPrefix.Kind kind =
        ClusteringBound.boundKind((flags & START) != 0, (flags & INCLUSIVE) != 0);
    ByteBuffer[] components = new ByteBuffer[in.readLength()];
    for (int i = 0; i < components.length; i++) {
      components[i] = in.read() == 0 ? null : in.readBytes();
    }
    return ByteBufferAccessor.instance.factory().bound(kind, components);
  }
}
