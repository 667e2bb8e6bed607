/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.store.Family;
import io.curtail.engine.store.StorageErrors;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.TableProperties;

/**
 * About how much a table has in RocksDB in parts of the ring, without a look at its rows: what
 * RocksDB knows of its files and write buffers. For one thread.
 */
public final class RangeSizes {
  private static final byte[] BEFORE_ALL = {};
  private static final byte[] BEHIND_ALL = new byte[16];

  static {
    Arrays.fill(BEHIND_ALL, (byte) 0xFF);
  }

  private final TableStore store;
  private final Family.Use use;
  private final double recordsPerStoredByte;
  private final double bytesPerStoredByte;

  private RangeSizes(TableStore store, Family.Use use) throws RocksDBException {
    this.store = store;
    this.use = use;
    double stored = Math.max(1, stored(BEFORE_ALL, BEHIND_ALL));
    recordsPerStoredByte = store.property("rocksdb.estimate-num-keys") / stored;
    long raw = 0;
    long compressed = 0;
    for (TableProperties file :
        store.database.rocksdb.getPropertiesOfAllTables(use.handle).values()) {
      raw += file.getRawKeySize() + file.getRawValueSize();
      compressed += file.getDataSize();
    }
    bytesPerStoredByte = compressed == 0 ? 1 : (double) raw / compressed;
  }

  /** Takes the sizes of a part of the ring. */
  public interface Sizes {
    /**
     * Takes one.
     *
     * @param records rows, and one more for a partition's deletions and static columns
     * @param bytes before they are compressed
     */
    void take(Range<Token> range, long records, long bytes);
  }

  /** Estimates parts of the ring, none of which goes round its end. */
  public static void estimate(TableStore store, List<Range<Token>> ranges, Sizes sizes) {
    try (Family.Use use = store.use()) {
      if (use != null) {
        new RangeSizes(store, use).estimate(ranges, sizes);
      }
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, store.database.directory);
    }
  }

  private void estimate(List<Range<Token>> ranges, Sizes sizes) throws RocksDBException {
    for (Range<Token> range : ranges) {
      byte[] from = store.keys.bound(range.left.maxKeyBound(), false);
      byte[] to = store.keys.bound(range.right.maxKeyBound(), false);
      double stored =
          stored(
              range.left.isMinimum() || from == null ? BEFORE_ALL : from,
              range.right.isMinimum() || to == null ? BEHIND_ALL : to);
      sizes.take(
          range,
          Math.round(stored * recordsPerStoredByte),
          Math.round(stored * bytesPerStoredByte));
    }
  }

  private double stored(byte[] from, byte[] to) throws RocksDBException {
    try (Slice start = new Slice(from);
        Slice end = new Slice(to)) {
      long[] sizes =
          store.database.rocksdb.getApproximateSizes(
              use.handle,
              List.of(new org.rocksdb.Range(start, end)),
              SizeApproximationFlag.INCLUDE_FILES,
              SizeApproximationFlag.INCLUDE_MEMTABLES);
      return sizes[0];
    }
  }
}
