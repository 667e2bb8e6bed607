/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.store.Family;
import java.util.NavigableSet;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.schema.TableMetadata;

/**
 * A partition as a flush, a stream and a repair see it: nothing is held, each question reads
 * RocksDB. If the rows have moved meanwhile that is an {@link IllegalStateException}, and never an
 * empty partition: what is read becomes a file that looks whole. Thread-safe.
 */
public final class StoredPartition implements Partition {
  private final TableStore store;
  private final TableMetadata metadata;
  private final DecoratedKey key;

  /** A partition that may have nothing. */
  StoredPartition(TableStore store, TableMetadata metadata, DecoratedKey key) {
    this.store = store;
    this.metadata = metadata;
    this.key = key;
  }

  /** For who began to read what is not here any more. */
  public static IllegalStateException hasMoved(TableStore store) {
    return hasMoved(store.table);
  }

  /** The same, by the name of the table. */
  public static IllegalStateException hasMoved(String table) {
    return new IllegalStateException(
        "The rows of "
            + table
            + " have moved, or move now, to another memtable or to Cassandra's data files: begin"
            + " the stream, repair or snapshot again");
  }

  @Override
  public TableMetadata metadata() {
    return metadata;
  }

  @Override
  public DecoratedKey partitionKey() {
    return key;
  }

  @Override
  public DeletionTime partitionLevelDeletion() {
    try (UnfilteredRowIterator partition = unfilteredIterator()) {
      return partition.partitionLevelDeletion();
    }
  }

  @Override
  public RegularAndStaticColumns columns() {
    return metadata.regularAndStaticColumns();
  }

  @Override
  public EncodingStats stats() {
    return EncodingStats.NO_STATS;
  }

  @Override
  public boolean isEmpty() {
    try (UnfilteredRowIterator partition = unfilteredIterator()) {
      return partition.isEmpty();
    }
  }

  @Override
  public boolean hasRows() {
    try (UnfilteredRowIterator partition = unfilteredIterator()) {
      while (partition.hasNext()) {
        if (partition.next().kind() == Unfiltered.Kind.ROW) {
          return true;
        }
      }
      return false;
    }
  }

  @Override
  public Row getRow(Clustering<?> clustering) {
    Slices only = Slices.with(metadata.comparator, Slice.make(clustering));
    try (UnfilteredRowIterator partition =
        unfilteredIterator(ColumnFilter.all(metadata), only, false)) {
      while (partition.hasNext()) {
        Unfiltered next = partition.next();
        if (next.kind() == Unfiltered.Kind.ROW) {
          return (Row) next;
        }
      }
      return null;
    }
  }

  @Override
  public UnfilteredRowIterator unfilteredIterator() {
    return unfilteredIterator(ColumnFilter.all(metadata), Slices.ALL, false);
  }

  @Override
  public UnfilteredRowIterator unfilteredIterator(
      ColumnFilter columns, Slices slices, boolean reversed) {
    try (Family.Use use = store.use()) {
      if (use == null) {
        throw hasMoved(store);
      }
      UnfilteredRowIterator partition =
          PartitionReader.through(store, metadata, columns).read(use.family, key, slices, reversed);
      return partition != null
          ? partition
          : UnfilteredRowIterators.noRowsIterator(
              metadata, key, Rows.EMPTY_STATIC_ROW, DeletionTime.LIVE, reversed);
    }
  }

  @Override
  public UnfilteredRowIterator unfilteredIterator(
      ColumnFilter columns, NavigableSet<Clustering<?>> clusterings, boolean reversed) {
    Slices.Builder slices = new Slices.Builder(metadata.comparator, clusterings.size());
    clusterings.forEach(clustering -> slices.add(Slice.make(clustering)));
    return unfilteredIterator(columns, slices.build(), reversed);
  }
}
