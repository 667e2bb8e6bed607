/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RangeTombstoneList;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.utils.AbstractIterator;
import org.rocksdb.RocksIterator;

/**
 * The range tombstones of a partition in some slices, in either direction. Up to some are read at
 * once, or one a slice; of more, a few at a time, as far as they are asked for: a partition may
 * have thousands, and a query with a LIMIT, or for a page, come to a few.
 *
 * <p>They are read with the iterator of the partition's rows, so from the same view. The {@link
 * RowCursor} is told each time that it was moved, and when it is not needed here any more. Not
 * thread-safe.
 */
final class RangeCursor extends AbstractIterator<RangeTombstone> {
  private static final int MOST_AT_ONCE = 64;

  private final TableStore store;
  private final RocksIterator records;
  private final ClusteringComparator comparator;
  private final byte[] partition;
  private final Slices slices;
  private final boolean reversed;

  private Iterator<RangeTombstone> read = Collections.emptyIterator();

  /** Of the slices, in the order of the read: how many are read to their end. */
  private int slicesRead;

  /** Of the slice that is read; null before its first range. */
  private RangeWalk walk;

  private RowCursor rows;

  /**
   * Reads them if they are few.
   *
   * @param records which this moves
   */
  RangeCursor(
      TableStore store,
      RocksIterator records,
      ClusteringComparator comparator,
      byte[] partition,
      Slices slices,
      boolean reversed) {
    this.store = store;
    this.records = records;
    this.comparator = comparator;
    this.partition = partition;
    this.slices = slices;
    this.reversed = reversed;
    if (slices.size() > 0) {
      readIfFew();
    }
  }

  private void readIfFew() {
    int count = slices.size();
    Slice hull = Slice.make(slices.get(0).start(), slices.get(count - 1).end());
    RangeTombstoneList all = new RangeTombstoneList(comparator, 4);
    // Each slice costs a seek for its rows, and would one for its ranges.
    if (!newWalk().forward(hull, Math.max(MOST_AT_ONCE, count), all)) {
      List<RangeTombstone> ranges = new ArrayList<>();
      for (; slicesRead < count; slicesRead++) {
        all.iterator(slice(), reversed).forEachRemaining(ranges::add);
      }
      read = ranges.iterator();
    }
  }

  private RangeWalk newWalk() {
    return new RangeWalk(store, records, comparator, partition);
  }

  private Slice slice() {
    return slices.get(reversed ? slices.size() - 1 - slicesRead : slicesRead);
  }

  /** Whether some are not read yet, and the iterator is needed. */
  boolean hasMore() {
    return slicesRead < slices.size();
  }

  /** Before the first is asked for: who has the iterator, too. */
  void setRows(RowCursor of) {
    rows = of;
  }

  @Override
  protected RangeTombstone computeNext() {
    while (!read.hasNext()) {
      if (!hasMore() || rows.isClosed()) {
        return endOfData();
      }
      readOn();
    }
    return read.next();
  }

  private void readOn() {
    Slice slice = slice();
    walk = walk == null ? newWalk() : walk;
    RangeTombstoneList some = new RangeTombstoneList(comparator, 4);
    boolean isMore =
        reversed
            ? walk.backward(slice, MOST_AT_ONCE, some)
            : walk.forward(slice, MOST_AT_ONCE, some);
    read = some.iterator(slice, reversed);
    rows.moved();
    if (!isMore) {
      walk = null;
      slicesRead++;
      if (!hasMore()) {
        rows.setAlone();
      }
    }
  }
}
