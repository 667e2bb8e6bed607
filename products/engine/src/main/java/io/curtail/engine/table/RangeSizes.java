/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.store.Family;
import io.curtail.engine.store.StorageErrors;
import java.util.ArrayList;
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
    double stored = Math.max(1, stored(List.of(BEFORE_ALL), List.of(BEHIND_ALL))[0]);
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
    List<byte[]> from = new ArrayList<>();
    List<byte[]> to = new ArrayList<>();
    for (Range<Token> range : ranges) {
      byte[] first = store.keys.bound(range.left.maxKeyBound(), false);
      byte[] end = store.keys.bound(range.right.maxKeyBound(), false);
      boolean isBehindAll = store.keys.isBehindAll(range.left.maxKeyBound());
      boolean isBeforeAll = range.left.isMinimum() || first == null;
      from.add(isBehindAll ? BEHIND_ALL : isBeforeAll ? BEFORE_ALL : first);
      to.add(range.right.isMinimum() || end == null ? BEHIND_ALL : end);
    }
    long[] stored = stored(from, to);
    for (int i = 0; i < stored.length; i++) {
      sizes.take(
          ranges.get(i),
          Math.round(stored[i] * recordsPerStoredByte),
          Math.round(stored[i] * bytesPerStoredByte));
    }
  }

  private long[] stored(List<byte[]> from, List<byte[]> to) throws RocksDBException {
    List<Slice> slices = new ArrayList<>();
    List<org.rocksdb.Range> ranges = new ArrayList<>();
    try {
      for (int i = 0; i < from.size(); i++) {
        slices.add(new Slice(from.get(i)));
        slices.add(new Slice(to.get(i)));
        ranges.add(new org.rocksdb.Range(slices.get(2 * i), slices.get(2 * i + 1)));
      }
      return store.database.rocksdb.getApproximateSizes(
          use.handle,
          ranges,
          SizeApproximationFlag.INCLUDE_FILES,
          SizeApproximationFlag.INCLUDE_MEMTABLES);
    } finally {
      slices.forEach(Slice::close);
    }
  }
}
