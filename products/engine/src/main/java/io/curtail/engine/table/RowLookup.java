/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.Isolation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.ByteArrayAccessor;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * Rows that a read names by their whole clustering, got by key. An iterator would open every data
 * file whose filter knows the partition, and read a block for the partition's header; a lookup asks
 * the filters for these very keys, and stops at the first file that has one.
 *
 * <p>All records are of one moment: one lookup of one key, with a header that did not change
 * meanwhile, or RocksDB's lookup of several keys of one column family.
 */
final class RowLookup {
  /** More of them, and it is cheaper to walk. */
  private static final int MOST_ROWS = 16;

  /** The partition's header; null if there is none, or if none could say what is asked for. */
  final byte[] header;

  /** What was found, in the order of the slices; null where there is no row. */
  final List<byte[]> rows;

  /** Those of the rows. */
  final List<Clustering<?>> clusterings;

  private RowLookup(byte[] header, List<byte[]> rows, List<Clustering<?>> clusterings) {
    this.header = header;
    this.rows = rows;
    this.clusterings = clusterings;
  }

  /** The rows of some slices; null if an iterator must find them. */
  static RowLookup of(
      TableStore store,
      Family family,
      TableMetadata metadata,
      ColumnFilter filter,
      byte[] partition,
      Slices slices) {
    List<Clustering<?>> clusterings = clusterings(metadata.comparator, slices);
    if (clusterings == null) {
      return null;
    }
    List<byte[]> keys = new ArrayList<>(clusterings.size());
    for (Clustering<?> clustering : clusterings) {
      keys.add(Comparables.record(partition, Keys.ROW, metadata.comparator, clustering));
    }
    return keys.size() == 1
        ? ofOneRow(store, family, filter, partition, keys, clusterings)
        : ofSeveral(store, family, filter, partition, keys, clusterings);
  }

  /**
   * The row, and the header if it may matter. It did not change in between: what changes a header
   * is announced to {@link Isolation} even if it changes nothing else.
   */
  private static RowLookup ofOneRow(
      TableStore store,
      Family family,
      ColumnFilter filter,
      byte[] partition,
      List<byte[]> keys,
      List<Clustering<?>> clusterings) {
    boolean needsHeader = store.needsHeader(filter);
    long mark = needsHeader ? store.database.isolation.quiet(partition) : 0;
    if (mark < 0) {
      return null;
    }
    List<byte[]> row =
        Collections.singletonList(store.database.recordCache.find(family, keys.get(0)));
    if (!needsHeader) {
      return store.needsHeader(filter) ? null : new RowLookup(null, row, clusterings);
    }
    byte[] header = store.database.recordCache.find(family, Keys.record(partition, Keys.HEADER));
    return store.database.isolation.wasQuietSince(partition, mark)
        ? new RowLookup(header, row, clusterings)
        : null;
  }

  private static RowLookup ofSeveral(
      TableStore store,
      Family family,
      ColumnFilter filter,
      byte[] partition,
      List<byte[]> rowKeys,
      List<Clustering<?>> clusterings) {
    boolean needsHeader = store.needsHeader(filter);
    List<byte[]> keys = new ArrayList<>(rowKeys);
    if (needsHeader) {
      keys.add(Keys.record(partition, Keys.HEADER));
    }
    Isolation isolation = store.database.isolation;
    long mark = isolation.quiet(partition);
    List<byte[]> found = mark < 0 ? null : store.database.get(family.handle, keys);
    if (found == null
        || !isolation.wasQuietSince(partition, mark)
        || needsHeader != store.needsHeader(filter)) {
      return null;
    }
    int rows = rowKeys.size();
    byte[] header = needsHeader ? found.get(rows) : null;
    return new RowLookup(header, found.subList(0, rows), clusterings);
  }

  private static List<Clustering<?>> clusterings(ClusteringComparator comparator, Slices slices) {
    int count = slices.size();
    if (count == 0 || count > MOST_ROWS) {
      return null;
    }
    List<Clustering<?>> clusterings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Clustering<?> clustering = onlyRow(comparator, slices.get(i));
      if (clustering == null) {
        return null;
      }
      clusterings.add(clustering);
    }
    return clusterings;
  }

  /** The clustering that is all of a slice; null if the slice may hold several. */
  private static Clustering<?> onlyRow(ClusteringComparator comparator, Slice slice) {
    ClusteringBound<?> start = slice.start();
    ClusteringBound<?> end = slice.end();
    int size = comparator.size();
    if (start.size() != size || end.size() != size || !start.isInclusive() || !end.isInclusive()) {
      return null;
    }
    byte[][] components = new byte[size][];
    for (int i = 0; i < size; i++) {
      ByteBuffer component = start.bufferAt(i);
      if (component == null || !component.equals(end.bufferAt(i))) {
        return null;
      }
      // It becomes the row's, which may live longer than the request.
      components[i] = ByteBufferUtil.getArray(component);
    }
    return ByteArrayAccessor.instance.factory().clustering(components);
  }
}
