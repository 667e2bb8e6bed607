/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.store.NativeIterators;
import io.curtail.engine.store.PartitionIterator;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.utils.AbstractIterator;
import org.rocksdb.RocksIterator;

/**
 * The rows of a partition in some slices, in either direction, from one consistent view.
 *
 * <p>Records are taken from RocksDB a few at a time, each time more, because Cassandra tells no
 * memtable of a LIMIT. The iterator is closed with the last one, or once {@link RangeCursor} needs
 * it no more, so that a partition of one row holds nothing native. Cassandra does not close every
 * iterator that it opens: a long one that is dropped is closed when it is collected. Not
 * thread-safe.
 */
final class RowCursor extends AbstractIterator<Row> {
  private static final int FIRST_ROWS = 1;
  private static final int MOST_ROWS = 64;
  private static final int TIMES = 9;
  private static final int MOST_BYTES = 32 << 10;

  private final TableStore store;
  private final RecordDecoder decoder;
  private final byte[] partition;
  private final byte[][] starts;
  private final byte[][] ends;
  private final boolean reversed;

  private PartitionIterator iterator;
  private RocksIterator records;
  private Cleaner.Cleanable tied;
  private int slice = -1;
  private int rowsAtOnce = FIRST_ROWS;
  private RecordChunk chunk;

  /** Told of all that is taken; null if nobody is. */
  private final KeptPartition kept;

  /** Whether the partition's ranges are read with the iterator, too, which is not closed then. */
  private boolean isShared;

  /** Whether it is not where this has left it. */
  private boolean isMoved;

  /** Whether all records were taken. */
  private boolean isOver;

  /**
   * @param iterator where a seek to a key before the partition's rows led, or no seek yet; the
   *     cursor closes it, unless this throws
   * @param isShared until {@link #setAlone}
   * @param kept to be told of all rows, if the slices are all of the partition; else null
   */
  RowCursor(
      TableStore store,
      PartitionIterator iterator,
      RecordDecoder decoder,
      ClusteringComparator comparator,
      byte[] partition,
      Slices slices,
      boolean reversed,
      boolean isShared,
      KeptPartition kept) {
    this.kept = kept;
    this.store = store;
    this.iterator = iterator;
    this.isShared = isShared;
    records = iterator.records;
    this.decoder = decoder;
    this.partition = partition;
    this.reversed = reversed;
    starts = new byte[slices.size()][];
    ends = new byte[slices.size()][];
    for (int i = 0; i < starts.length; i++) {
      Slice bounds = slices.get(reversed ? starts.length - 1 - i : i);
      starts[i] = key(comparator, bounds.start());
      ends[i] = key(comparator, bounds.end());
    }
    take();
    if (records != null) {
      tied = NativeIterators.tie(this, iterator);
    }
  }

  private byte[] key(ClusteringComparator comparator, ClusteringBound<?> bound) {
    return Comparables.record(partition, Keys.ROW, comparator, bound);
  }

  @Override
  protected Row computeNext() {
    Row row = null;
    while (row == null) {
      if (chunk != null && chunk.next()) {
        row = chunk.row(decoder, partition.length + 1);
      } else if (isOver || records == null) {
        return endOfData();
      } else {
        take();
      }
    }
    return row;
  }

  /** Takes records of this slice or the next. */
  private void take() {
    boolean isInSlice = chunk != null && chunk.hasMore;
    if (!isInSlice && !nextSlice()) {
      end();
      return;
    }
    if (isInSlice && isMoved) {
      seekBehind(chunk.key());
    }
    isMoved = false;
    byte[] bound = reversed ? starts[slice] : ends[slice];
    chunk = RecordChunk.take(store.database, records, bound, reversed, rowsAtOnce, MOST_BYTES);
    rowsAtOnce = Math.min(MOST_ROWS, TIMES * rowsAtOnce);
    if (kept != null) {
      kept.rows(chunk);
    }
    if (!chunk.hasMore && slice + 1 == starts.length) {
      end();
    }
  }

  /** To where the record is that follows the last one that was taken. */
  private void seekBehind(byte[] last) {
    if (!reversed) {
      records.seek(Arrays.copyOf(last, last.length + 1));
      return;
    }
    records.seekForPrev(last);
    if (records.isValid()) {
      records.prev();
    }
  }

  private void end() {
    isOver = true;
    if (!isShared) {
      close();
    }
  }

  /** The iterator was moved. */
  void moved() {
    isMoved = true;
  }

  /** Nobody else needs the iterator any more. */
  void setAlone() {
    isShared = false;
    if (isOver) {
      close();
    }
  }

  /** Whether the iterator must not be used any more. */
  boolean isClosed() {
    return records == null;
  }

  private boolean nextSlice() {
    if (++slice >= starts.length) {
      return false;
    }
    if (reversed) {
      records.seekForPrev(ends[slice]);
    } else if (isMoved || !isAtStart()) {
      records.seek(starts[slice]);
    }
    return true;
  }

  /** Whether the next record, the first behind all that is done, is not before the slice either. */
  private boolean isAtStart() {
    return records.isValid() && Arrays.compareUnsigned(records.key(), starts[slice]) >= 0;
  }

  @Override
  public void close() {
    if (records != null) {
      if (tied != null) {
        tied.clean();
      } else {
        iterator.close();
      }
      records = null;
      iterator = null;
    }
  }
}
