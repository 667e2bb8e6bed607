/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ByteReader;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.NativeIterators;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.utils.AbstractIterator;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * The partitions of a token range, in order, as of the moment the scan began. Not thread-safe;
 * closed by the garbage collector if it is dropped.
 *
 * <p>Records are copied out of RocksDB many at a time where most of them are asked for: in a table
 * that has one a partition, and for a reader of whole partitions. Else a scan has keys only, and
 * steps or seeks from one partition to the next.
 */
public final class PartitionScan implements AutoCloseable {
  /** Records of a partition to step over before it is cheaper to seek behind it. */
  private static final int STEPS = 4;

  /** Copied in one go: few first, for a LIMIT, and where a partition was not read to its end. */
  private static final int FIRST_RECORDS = 8;

  private static final int MOST_RECORDS = 64;
  private static final int TIMES = 4;

  /** Of a record that counts as one: of larger ones, fewer are copied. */
  private static final int RECORD_BYTES = 512;

  private final TableStore store;
  private final boolean copies;
  private RocksIterator records;
  private Cleaner.Cleanable tied;
  private byte[] record;
  private int partitionLength;

  /** Whether the next partition's first record was come to. */
  private boolean atNext;

  // Of a scan that copies.
  private RecordChunk chunk;
  private int recordsAtOnce = FIRST_RECORDS;

  /** Records of the partition that were come to. */
  private int seen;

  /** Changes when a partition's records can be had no more. */
  private int turn;

  /**
   * A scan of the partitions from one position, which counts, to another, which does not, for who
   * reads the table through.
   */
  public static PartitionScan between(
      TableStore store, PartitionPosition from, PartitionPosition to) {
    return new PartitionScan(
        store,
        !store.isClustered,
        from == null || !store.keys.isBehindAll(from),
        from == null ? null : store.keys.bound(from, false),
        to == null ? null : store.keys.bound(to, false),
        true);
  }

  /**
   * A scan of the partitions behind one, for who reads the table through.
   *
   * @param partition as it is in keys; null for a scan of all
   */
  public static PartitionScan behind(TableStore store, byte[] partition) {
    byte[] from = partition == null ? null : Keys.record(partition, Keys.END);
    return new PartitionScan(store, !store.isClustered, true, from, null, true);
  }

  /**
   * A scan of the partitions of a range, for a client.
   *
   * @param whole whether most of them are read to the end, through {@link #rows}
   */
  static PartitionScan of(
      TableStore store, AbstractBounds<PartitionPosition> range, boolean whole) {
    return new PartitionScan(
        store,
        whole || !store.isClustered,
        !store.keys.isBehindAll(range.left),
        store.keys.bound(range.left, !range.inclusiveLeft()),
        store.keys.bound(range.right, range.inclusiveRight()),
        false);
  }

  private PartitionScan(
      TableStore store,
      boolean copies,
      boolean mayHaveAny,
      byte[] from,
      byte[] to,
      boolean isThrough) {
    this.store = store;
    this.copies = copies;
    Family.Use use = mayHaveAny ? store.use() : null;
    if (use == null) {
      return;
    }
    ReadOptions reading =
        isThrough ? DatabaseOptions.readingThrough() : DatabaseOptions.readingInOrder();
    Slice upperBound = to == null ? null : new Slice(to);
    if (upperBound != null) {
      reading.setIterateUpperBound(upperBound);
    }
    records = store.database.iterator(use.handle, reading);
    tied =
        upperBound == null
            ? NativeIterators.tie(this, records, reading, use)
            : NativeIterators.tie(this, records, reading, upperBound, use);
    if (copies && store.isClustered) {
      // Records are copied before anybody asks for their partition.
      store.database.isolation.awaitAllComplete();
    }
    if (from == null) {
      records.seekToFirst();
    } else {
      records.seek(from);
    }
    atNext = !copies;
  }

  /** Whether there is another partition; the last one's records can be had no more. */
  public boolean hasNext() {
    if (copies) {
      if (!atNext) {
        leavePartition();
      }
      return atNext;
    }
    if (records != null && !atNext) {
      skipPartition();
      atNext = true;
    }
    if (records != null && !records.isValid()) {
      store.database.check(records);
      closeIterator();
    }
    return records != null;
  }

  /** Moves to the next partition. */
  public DecoratedKey next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    atNext = false;
    turn++;
    seen = 1;
    record = copies ? Arrays.copyOfRange(chunk.bytes, chunk.keyStart, chunk.keyEnd) : records.key();
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

  /** The partition's header; null if it has none. Before any row is taken. */
  byte[] header() {
    return record[partitionLength] == Keys.HEADER
        ? Arrays.copyOfRange(chunk.bytes, chunk.keyEnd, chunk.valueEnd)
        : null;
  }

  /** The partition's rows, once, until the next partition is asked for. */
  Iterator<Row> rows(RecordDecoder decoder) {
    return new Rows(decoder);
  }

  /**
   * Moves to the next record of the partition; false if it has no more.
   *
   * @param fromNext whether to pass those of the partition that are not copied yet
   */
  private boolean nextRecord(boolean fromNext) {
    if (atNext || !takeRecord(fromNext)) {
      return false;
    }
    atNext = record == null || !isOfPartition();
    seen++;
    return !atNext;
  }

  private boolean takeRecord(boolean fromNext) {
    while (chunk == null || !chunk.next()) {
      if (records == null) {
        return false;
      }
      if (fromNext) {
        records.seek(end());
        recordsAtOnce = FIRST_RECORDS;
      }
      int mostBytes = recordsAtOnce * RECORD_BYTES;
      chunk = RecordChunk.take(store.database, records, null, false, recordsAtOnce, mostBytes);
      recordsAtOnce = Math.min(MOST_RECORDS, TIMES * recordsAtOnce);
      if (!chunk.hasMore) {
        closeIterator();
      }
    }
    return true;
  }

  private boolean isOfPartition() {
    int end = chunk.keyStart + partitionLength;
    return end < chunk.keyEnd
        && Arrays.equals(chunk.bytes, chunk.keyStart, end, record, 0, partitionLength);
  }

  /** What is copied is passed; behind that, a partition that has several records is sought over. */
  private void leavePartition() {
    turn++;
    boolean isOfPartition = true;
    while (isOfPartition) {
      isOfPartition = nextRecord(seen > 1);
    }
  }

  private void skipPartition() {
    byte[] end = end();
    for (int step = 0; step < STEPS; step++) {
      records.next();
      if (!records.isValid() || Arrays.compareUnsigned(records.key(), end) > 0) {
        return;
      }
    }
    records.seek(end);
  }

  private byte[] end() {
    byte[] end = Arrays.copyOf(record, partitionLength + 1);
    end[partitionLength] = (byte) Keys.END;
    return end;
  }

  private void closeIterator() {
    if (records != null) {
      tied.clean();
      records = null;
    }
  }

  @Override
  public void close() {
    closeIterator();
    chunk = null;
    atNext = false;
    turn++;
  }

  /** Decoded one by one. */
  private final class Rows extends AbstractIterator<Row> {
    private final RecordDecoder decoder;
    private final int ofTurn = turn;
    private boolean isBegun;

    Rows(RecordDecoder decoder) {
      this.decoder = decoder;
    }

    @Override
    protected Row computeNext() {
      if (turn != ofTurn) {
        // As a scan of Cassandra's data files has it. Less than all rows would pass for all.
        throw new IllegalStateException(
            "the rows of a partition were asked for after those of the next");
      }
      Row row = null;
      while (row == null) {
        if (isBegun && !nextRecord(false)) {
          return endOfData();
        }
        isBegun = true;
        if (chunk.bytes[chunk.keyStart + partitionLength] == Keys.ROW) {
          row = chunk.row(decoder, partitionLength + 1);
        }
      }
      return row;
    }
  }
}
