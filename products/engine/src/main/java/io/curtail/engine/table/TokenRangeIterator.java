/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.RecordDecoder;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The partitions of a token range, each read as its clustering filter asks; the caller closes it,
 * and reads each before it asks for the next, as it must with those of Cassandra's data files. Not
 * thread-safe.
 */
public final class TokenRangeIterator extends AbstractUnfilteredPartitionIterator {
  private final TableStore store;
  private final TableMetadata metadata;
  private final DataRange range;
  private final PartitionReader reader;
  private final PartitionScan scan;

  /** Whether partitions are read whole, from the records that the scan copies. */
  private final boolean isWhole;

  private final RecordDecoder decoder;

  /** Begins a scan of a table as it is now. */
  public TokenRangeIterator(
      TableStore store, TableMetadata metadata, ColumnFilter filter, DataRange range) {
    this.store = store;
    this.metadata = metadata;
    this.range = range;
    reader = new PartitionReader(store, metadata, filter);
    isWhole =
        store.isClustered
            && range.selectsAllPartition()
            && !range.isNamesQuery()
            && !range.isReversed();
    decoder = isWhole ? store.decoder(metadata, false) : null;
    scan = PartitionScan.of(store, range.keyRange(), isWhole);
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
    UnfilteredRowIterator partition = read(key, filter);
    return partition != null
        ? partition
        : EmptyIterators.unfilteredRow(metadata, key, filter.isReversed());
  }

  private UnfilteredRowIterator read(DecoratedKey key, ClusteringIndexFilter filter) {
    // Not of the partition that the last page ended in.
    if (isWhole && filter.selectsAllPartition()) {
      return reader.readWhole(key, scan, decoder);
    }
    Slices slices = filter.getSlices(metadata);
    return store.isClustered
        ? reader.read(key, slices, filter.isReversed())
        : reader.readOnlyRow(key, scan.value(), slices, filter.isReversed());
  }

  @Override
  public void close() {
    scan.close();
  }
}
