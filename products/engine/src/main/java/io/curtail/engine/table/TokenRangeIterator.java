/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The partitions of a token range, each read as its clustering filter asks; the caller closes it.
 * Not thread-safe.
 */
public final class TokenRangeIterator extends AbstractUnfilteredPartitionIterator {
  private final TableStore store;
  private final TableMetadata metadata;
  private final DataRange range;
  private final PartitionReader reader;
  private final PartitionScan scan;

  /** Begins a scan of a table as it is now. */
  public TokenRangeIterator(
      TableStore store, TableMetadata metadata, ColumnFilter filter, DataRange range) {
    this.store = store;
    this.metadata = metadata;
    this.range = range;
    reader = new PartitionReader(store, metadata, filter);
    scan = PartitionScan.of(store, range.keyRange());
  }

  @Override
  public TableMetadata metadata() {
    return metadata;
  }

  @Override
  public boolean hasNext() {
    return scan.hasNext();
  }

  @Override
  public UnfilteredRowIterator next() {
    DecoratedKey key = scan.next();
    ClusteringIndexFilter filter = range.clusteringIndexFilter(key);
    UnfilteredRowIterator partition =
        store.isClustered
            ? reader.read(key, filter.getSlices(metadata), filter.isReversed())
            : reader.readOnlyRow(
                key, scan.value(), filter.getSlices(metadata), filter.isReversed());
    return partition != null
        ? partition
        : EmptyIterators.unfilteredRow(metadata, key, filter.isReversed());
  }

  @Override
  public void close() {
    scan.close();
  }
}
