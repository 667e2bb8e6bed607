/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.codec.Comparables;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.store.Batch;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.LongPredicate;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexSliceFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.index.internal.CassandraIndex;
import org.apache.cassandra.index.internal.IndexEntry;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Removes the entries of a legacy index whose row is gone, or has another value: what deletes rows
 * knows nothing of their entries, and queries remove some of those that they meet only.
 *
 * <p>An entry goes while its partition is locked and its row is not there. A write puts a row of
 * RocksDB and its entry there as one, under that lock; rows that come in data files are there
 * before their entries. So an entry that is needed is never missed. For one thread.
 */
final class EntrySweep {
  private static final int ENTRIES_A_PAGE = 200;

  /** What a look at a row may cost beside its bytes: a block of a data file. */
  private static final int BLOCK_BYTES = 4 << 10;

  private final StoredTable memtable;
  private final TableStore store;
  private final ColumnFamilyStore table;
  private final CassandraIndex index;
  private final LongPredicate pace;
  private long removed;
  private long bytes;

  private EntrySweep(
      StoredTable memtable, ColumnFamilyStore table, CassandraIndex index, LongPredicate pace) {
    this.memtable = memtable;
    this.table = table;
    this.index = index;
    this.pace = pace;
    store = memtable.store();
  }

  /**
   * Of the memtable of an index; null if its entries may not be looked at.
   *
   * @param pace told how many bytes were read, again and again; whether to go on
   */
  static EntrySweep of(StoredTable memtable, LongPredicate pace) {
    TableMetadata entries = memtable.metadata();
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(entries.id);
    if (table == null || !entries.isIndex()) {
      return null;
    }
    String name = SecondaryIndexManager.getIndexName(entries.name);
    Index index = table.indexManager.getIndexByName(name);
    if (!(index instanceof CassandraIndex) || !table.getBuiltIndexes().contains(name)) {
      return null;
    }
    CassandraIndex legacy = (CassandraIndex) index;
    // Those have entries that stand for no row.
    boolean isOfPartitions =
        legacy.getIndexMetadata().isKeys()
            || (legacy.getIndexedColumn().isPartitionKey() && table.metadata().hasStaticColumns());
    return isOfPartitions ? null : new EntrySweep(memtable, table, legacy, pace);
  }

  /** How many entries were removed. */
  long removed() {
    return removed;
  }

  /** Sweeps the entries of one value; whether to go on. */
  boolean partition(byte[] partition) {
    DecoratedKey value = store.keys.decode(partition, partition.length);
    List<Row> entries = page(value, Slices.ALL);
    while (!entries.isEmpty()) {
      bytes = 0;
      for (Row entry : entries) {
        if (isStale(value, entry)) {
          remove(partition, value, entry);
        }
      }
      if (!pace.test(bytes)) {
        return false;
      }
      Clustering<?> last = entries.get(entries.size() - 1).clustering();
      Slice rest = Slice.make(ClusteringBound.exclusiveStartOf(last), ClusteringBound.TOP);
      entries = page(value, Slices.with(memtable.metadata().comparator, rest));
    }
    return true;
  }

  /** The next entries of a value; none if Cassandra has another memtable now. */
  private List<Row> page(DecoratedKey value, Slices slices) {
    List<Row> entries = new ArrayList<>();
    ColumnFamilyStore cfs = index.getIndexCfs();
    OpOrder.Group unfinished = cfs.readOrdering.start();
    try {
      if (cfs.getCurrentMemtable() != memtable) {
        return entries;
      }
      try (UnfilteredRowIterator rows =
          memtable.rowIterator(
              value,
              slices,
              ColumnFilter.all(memtable.metadata()),
              false,
              SSTableReadsListener.NOOP_LISTENER)) {
        while (rows != null && entries.size() < ENTRIES_A_PAGE && rows.hasNext()) {
          Unfiltered next = rows.next();
          if (next.isRow()) {
            entries.add((Row) next);
          }
        }
      }
    } finally {
      unfinished.close();
    }
    return entries;
  }

  private boolean isStale(DecoratedKey value, Row entry) {
    long now = FBUtilities.nowInSeconds();
    if (!entry.hasLiveData(now, false)) {
      return false; // a tombstone, which goes in a sweep
    }
    IndexEntry decoded = index.decodeEntry(value, entry);
    Clustering<?> clustering = decoded.indexedEntryClustering;
    boolean isStatic = clustering == Clustering.STATIC_CLUSTERING;
    TableMetadata metadata = table.metadata();
    SinglePartitionReadCommand read =
        SinglePartitionReadCommand.create(
            metadata,
            now,
            ColumnFilter.all(metadata),
            RowFilter.none(),
            DataLimits.NONE,
            table.decorateKey(decoded.indexedKey),
            new ClusteringIndexSliceFilter(
                isStatic ? Slices.ALL : Slices.with(metadata.comparator, Slice.make(clustering)),
                false));
    try (ReadExecutionController controller = read.executionController();
        UnfilteredRowIterator rows = read.queryMemtableAndDisk(table, controller)) {
      Row row = isStatic ? rows.staticRow() : first(rows);
      bytes += entry.dataSize() + BLOCK_BYTES + (row == null ? 0 : row.dataSize());
      return row == null || index.isStale(row, value.getKey(), now);
    }
  }

  private static Row first(UnfilteredRowIterator rows) {
    while (rows.hasNext()) {
      Unfiltered next = rows.next();
      if (next.isRow()) {
        return (Row) next;
      }
    }
    return null;
  }

  private void remove(byte[] partition, DecoratedKey value, Row entry) {
    Lock lock = store.locks.exclusive(partition);
    lock.lock();
    try (Family.Use use = store.use()) {
      if (use == null
          || store.state() != GenerationState.SERVING
          || !isInRocks()
          || !isStale(value, entry)) {
        return;
      }
      ClusteringComparator comparator = memtable.metadata().comparator;
      Batch batch = new Batch();
      batch.delete(
          use.handle, Comparables.record(partition, Keys.ROW, comparator, entry.clustering()));
      store.database.write(batch, List.of(partition));
      removed++;
    } finally {
      lock.unlock();
    }
  }

  /** Whether all who write rows of the table write their entries with them. */
  private boolean isInRocks() {
    Memtable only = OnlyMemtable.of(table);
    return only instanceof StoredTable
        && ((StoredTable) only).store().state() == GenerationState.SERVING;
  }
}
