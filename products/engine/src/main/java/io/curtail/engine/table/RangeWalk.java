/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RangeRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RangeTombstoneList;
import org.apache.cassandra.db.Slice;
import org.rocksdb.RocksIterator;

/**
 * Reads range tombstones of a partition in one direction, each once, with an iterator that others
 * may move between two calls of this. Not thread-safe.
 */
final class RangeWalk {
  private final TableStore store;
  private final RocksIterator records;
  private final ClusteringComparator comparator;
  private final byte[] partition;
  private final byte[] prefix;

  /** The key of the last that was read; null if none was. */
  private byte[] last;

  /** The key that the iterator is at, since it was looked at. */
  private byte[] key;

  private long bytes;

  RangeWalk(
      TableStore store, RocksIterator records, ClusteringComparator comparator, byte[] partition) {
    this.store = store;
    this.records = records;
    this.comparator = comparator;
    this.partition = partition;
    prefix = Keys.record(partition, Keys.RANGE);
  }

  /** How many bytes keys and values had. */
  long bytes() {
    return bytes;
  }

  /**
   * Adds those that touch a slice and are behind the last that was read, in order.
   *
   * @param slice none that begins before one that was asked for before
   * @param most how many are read
   * @return whether there may be more
   */
  boolean forward(Slice slice, int most, RangeTombstoneList found) {
    byte[] from = key(slice.start());
    boolean isBehindLast = last == null || Arrays.compareUnsigned(from, last) > 0;
    records.seek(isBehindLast ? from : Arrays.copyOf(last, last.length + 1));
    for (int count = 0; isAtRange(); count++) {
      if (count == most) {
        return true;
      }
      byte[] value = records.value();
      RangeTombstone range = RangeRecord.decode(value);
      if (comparator.compare(range.deletedSlice().start(), slice.end()) >= 0) {
        return false;
      }
      read(value);
      found.add(range);
      records.next();
    }
    return false;
  }

  /**
   * Adds those that touch a slice and are before the last that was read, those nearest to it: in
   * order, as the others do not.
   *
   * @param slice the same each time
   * @param most how many are read, at least one
   * @return whether there may be more
   */
  boolean backward(Slice slice, int most, RangeTombstoneList found) {
    List<RangeTombstone> backwards = new ArrayList<>();
    if (last == null) {
      seekLast(slice, backwards);
    } else {
      seekBefore(last);
    }
    boolean isMore = false;
    while (!isMore && isAtRange()) {
      byte[] value = records.value();
      RangeTombstone range = RangeRecord.decode(value);
      if (comparator.compare(range.deletedSlice().end(), slice.start()) <= 0) {
        break;
      }
      isMore = backwards.size() == most;
      if (!isMore) {
        read(value);
        backwards.add(range);
        records.prev();
      }
    }
    for (int i = backwards.size() - 1; i >= 0; i--) {
      found.add(backwards.get(i));
    }
    return isMore;
  }

  /** Of those whose end is not within the slice one may begin there. */
  private void seekLast(Slice slice, List<RangeTombstone> found) {
    byte[] end = key(slice.end());
    records.seek(end);
    if (isAtRange()) {
      byte[] value = records.value();
      RangeTombstone range = RangeRecord.decode(value);
      if (comparator.compare(range.deletedSlice().start(), slice.end()) < 0) {
        read(value);
        found.add(range);
      }
    }
    seekBefore(last == null ? end : last);
  }

  private void seekBefore(byte[] behind) {
    records.seekForPrev(behind);
    if (isAtRange() && Arrays.equals(key, behind)) {
      records.prev();
    }
  }

  private void read(byte[] value) {
    last = key;
    bytes += key.length + value.length;
  }

  private byte[] key(ClusteringBound<?> bound) {
    return Comparables.record(partition, Keys.RANGE, comparator, bound);
  }

  private boolean isAtRange() {
    if (!records.isValid()) {
      store.database.check(records);
      return false;
    }
    key = records.key();
    return Keys.hasPrefix(key, prefix);
  }
}
