/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ByteReader;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.NativeIterators;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.AbstractBounds;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * The partitions of a token range, in order, as of the moment the scan began. Not thread-safe;
 * closed by the garbage collector if it is dropped.
 */
public final class PartitionScan implements AutoCloseable {
  /** Records of a partition to step over before it is cheaper to seek behind it. */
  private static final int STEPS = 4;

  /** Of a table with one record a partition, that are copied in one go: few first, for a LIMIT. */
  private static final int FIRST_RECORDS = 8;

  private static final int NEXT_RECORDS = 64;
  private static final int MOST_BYTES = 32 << 10;

  private final TableStore store;
  private RocksIterator records;
  private Cleaner.Cleanable tied;
  private RecordChunk chunk;
  private byte[] record;
  private int partitionLength;
  private boolean atNext;

  /** A scan of the partitions from one position, which counts, to another, which does not. */
  public static PartitionScan between(
      TableStore store, PartitionPosition from, PartitionPosition to) {
    return new PartitionScan(
        store,
        from == null || !store.keys.isBehindAll(from),
        from == null ? null : store.keys.bound(from, false),
        to == null ? null : store.keys.bound(to, false));
  }

  /**
   * A scan of the partitions behind one.
   *
   * @param partition as it is in keys; null for a scan of all
   */
  public static PartitionScan behind(TableStore store, byte[] partition) {
    return new PartitionScan(
        store, true, partition == null ? null : Keys.record(partition, Keys.END), null);
  }

  static PartitionScan of(TableStore store, AbstractBounds<PartitionPosition> range) {
    return new PartitionScan(
        store,
        !store.keys.isBehindAll(range.left),
        store.keys.bound(range.left, !range.inclusiveLeft()),
        store.keys.bound(range.right, range.inclusiveRight()));
  }

  private PartitionScan(TableStore store, boolean mayHaveAny, byte[] from, byte[] to) {
    this.store = store;
    Family.Use use = mayHaveAny ? store.use() : null;
    if (use == null) {
      return;
    }
    ReadOptions reading = DatabaseOptions.readingInOrder();
    Slice upperBound = to == null ? null : new Slice(to);
    if (upperBound != null) {
      reading.setIterateUpperBound(upperBound);
    }
    records = store.database.iterator(use.handle, reading);
    tied =
        upperBound == null
            ? NativeIterators.tie(this, records, reading, use)
            : NativeIterators.tie(this, records, reading, upperBound, use);
    if (from == null) {
      records.seekToFirst();
    } else {
      records.seek(from);
    }
    atNext = true;
  }

  /** Whether there is another partition. */
  public boolean hasNext() {
    if (!store.isClustered) {
      atNext = (chunk != null && atNext) || takeRecord();
      return atNext;
    }
    if (records != null && !atNext) {
      skipPartition();
      atNext = true;
    }
    if (records != null && !records.isValid()) {
      store.database.check(records);
      close();
    }
    return records != null;
  }

  /** Moves to the next partition. */
  public DecoratedKey next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    atNext = false;
    record =
        chunk == null
            ? records.key()
            : Arrays.copyOfRange(chunk.bytes, chunk.keyStart, chunk.keyEnd);
    partitionLength = store.keys.length(record);
    return store.keys.decode(record, partitionLength);
  }

  /** The key of the partition's first record. */
  public byte[] record() {
    return record;
  }

  /** The value of the partition's only record, in a table without clustering columns. */
  ByteReader value() {
    return chunk.value();
  }

  /** Moves to the next record of a table that has one a partition. */
  private boolean takeRecord() {
    while (chunk == null || !chunk.next()) {
      if (records == null) {
        return false;
      }
      int most = chunk == null ? FIRST_RECORDS : NEXT_RECORDS;
      chunk = RecordChunk.take(store.database, records, null, false, most, MOST_BYTES);
      if (!chunk.hasMore) {
        close();
      }
    }
    return true;
  }

  private void skipPartition() {
    byte[] end = Arrays.copyOf(record, partitionLength + 1);
    end[partitionLength] = (byte) Keys.END;
    for (int step = 0; step < STEPS; step++) {
      records.next();
      if (!records.isValid() || Arrays.compareUnsigned(records.key(), end) > 0) {
        return;
      }
    }
    records.seek(end);
  }

  @Override
  public void close() {
    if (records != null) {
      tied.clean();
      records = null;
    }
  }
}
