/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.marshal.ByteBufferAccessor;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Rows that a read names by their whole clustering, got by key. An iterator would open every data
 * file whose filter knows the partition, and read a block for the partition's header; a lookup asks
 * the filters for these very keys, and stops at the first file that has one.
 *
 * <p>All records are of one moment: one lookup of one key, or RocksDB's lookup of several keys of
 * one column family.
 */
final class RowLookup {
  /** More of them, and it is cheaper to walk. */
  private static final int MOST_ROWS = 16;

  /** The partition's header; null if there is none, or if no header could say anything here. */
  final byte[] header;

  /** What was found, in the order of the slices; null where there is no row. */
  final List<byte[]> rows;

  final List<byte[]> keys;

  private RowLookup(byte[] header, List<byte[]> rows, List<byte[]> keys) {
    this.header = header;
    this.rows = rows;
    this.keys = keys;
  }

  /** The rows of some slices; null if an iterator must find them. */
  static RowLookup of(
      TableStore store,
      ColumnFamilyHandle family,
      TableMetadata metadata,
      byte[] partition,
      Slices slices) {
    List<byte[]> keys = keys(metadata.comparator, partition, slices);
    if (keys == null) {
      return null;
    }
    if (keys.size() == 1 && metadata.staticColumns().isEmpty() && !store.mayHaveGarbage()) {
      byte[] row = store.engine.get(family, keys.get(0));
      // A first deletion is announced before it is written: still none, and the row was not in it.
      if (!store.mayHaveGarbage()) {
        return new RowLookup(null, Collections.singletonList(row), keys);
      }
    }
    return withHeader(store, family, partition, keys);
  }

  private static RowLookup withHeader(
      TableStore store, ColumnFamilyHandle family, byte[] partition, List<byte[]> rowKeys) {
    List<byte[]> keys = new ArrayList<>(rowKeys.size() + 1);
    keys.add(Keys.record(partition, Keys.HEADER));
    keys.addAll(rowKeys);
    Isolation isolation = store.engine.isolation;
    long mark = isolation.quiet(partition);
    List<byte[]> found = mark < 0 ? null : store.engine.get(family, keys);
    return found == null || !isolation.wasQuietSince(partition, mark)
        ? null
        : new RowLookup(found.get(0), found.subList(1, found.size()), rowKeys);
  }

  private static List<byte[]> keys(
      ClusteringComparator comparator, byte[] partition, Slices slices) {
    int count = slices.size();
    if (count == 0 || count > MOST_ROWS) {
      return null;
    }
    List<byte[]> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Clustering<?> clustering = onlyRow(comparator, slices.get(i));
      if (clustering == null) {
        return null;
      }
      keys.add(Keys.record(partition, Keys.ROW, Comparables.clustering(comparator, clustering)));
    }
    return keys;
  }

  /** The clustering that is all of a slice; null if the slice may hold several. */
  private static Clustering<?> onlyRow(ClusteringComparator comparator, Slice slice) {
    ClusteringBound<?> start = slice.start();
    ClusteringBound<?> end = slice.end();
    int size = comparator.size();
    if (start.size() != size || end.size() != size || !start.isInclusive() || !end.isInclusive()) {
      return null;
    }
    ByteBuffer[] components = new ByteBuffer[size];
    for (int i = 0; i < size; i++) {
      components[i] = start.bufferAt(i);
      if (components[i] == null || !components[i].equals(end.bufferAt(i))) {
        return null;
      }
    }
    return ByteBufferAccessor.instance.factory().clustering(components);
  }
}
