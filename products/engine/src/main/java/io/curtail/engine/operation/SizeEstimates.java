/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.table.RangeSizes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.Pair;

/**
 * Has {@code system.size_estimates} and {@code table_estimates}, by which Spark parts its work,
 * count what tables have in RocksDB. Cassandra writes them every five minutes, of its data files
 * alone; so they are looked at, and written again when they are Cassandra's, or old.
 *
 * <p>Not thread-safe.
 */
final class SizeEstimates {
  private static final long OLD_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final List<String> TABLES = List.of("size_estimates", "table_estimates");

  private final TableStores stores;
  private Map<StoredTable, Written> written = new HashMap<>();

  SizeEstimates(TableStores stores) {
    this.stores = stores;
  }

  private static final class Written {
    final long nanos = System.nanoTime();
    final List<Long> sums;

    Written(List<Long> sums) {
      this.sums = sums;
    }
  }

  /** Writes what is not as it was written last, on a node that has a part of the ring. */
  void tell() {
    Map<StoredTable, Written> now = new HashMap<>();
    for (StoredTable memtable : stores.memtables()) {
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
      if (table != null
          && !memtable.store().isIndex
          && memtable.store().family() != null
          && StorageService.instance.isNormal()) {
        now.put(memtable, tell(memtable, table));
      }
    }
    written = now;
  }

  private Written tell(StoredTable memtable, ColumnFamilyStore table) {
    Written last = written.get(memtable);
    if (last != null
        && System.nanoTime() - last.nanos < OLD_NANOS
        && last.sums.equals(sums(table))) {
      return last;
    }
    String keyspace = table.getKeyspaceName();
    Map<Range<Token>, Pair<Long, Long>> primary =
        estimate(memtable, table, StorageService.instance.getPrimaryRanges(keyspace));
    SystemKeyspace.updateSizeEstimates(keyspace, table.name, primary);
    SystemKeyspace.updateTableEstimates(
        keyspace, table.name, SystemKeyspace.TABLE_ESTIMATES_TYPE_PRIMARY, primary);
    SystemKeyspace.updateTableEstimates(
        keyspace,
        table.name,
        SystemKeyspace.TABLE_ESTIMATES_TYPE_LOCAL_PRIMARY,
        estimate(memtable, table, StorageService.instance.getLocalPrimaryRange()));
    return new Written(sums(table));
  }

  /** How many partitions are counted now, in each of the tables. */
  private static List<Long> sums(ColumnFamilyStore table) {
    List<Long> sums = new ArrayList<>();
    for (String estimates : TABLES) {
      UntypedResultSet rows =
          QueryProcessor.executeInternal(
              "SELECT partitions_count FROM system."
                  + estimates
                  + " WHERE keyspace_name = ? AND table_name = ?",
              table.getKeyspaceName(),
              table.name);
      long sum = 0;
      for (UntypedResultSet.Row row : rows) {
        sum += row.getLong("partitions_count");
      }
      sums.add(sum);
    }
    return sums;
  }

  /** How many partitions, and of how many bytes on average, as Cassandra has it. */
  private static Map<Range<Token>, Pair<Long, Long>> estimate(
      StoredTable memtable, ColumnFamilyStore table, Collection<Range<Token>> ranges) {
    List<Range<Token>> parts = Range.normalize(ranges);
    Map<Range<Token>, Pair<Long, Long>> estimates = new HashMap<>();
    RangeSizes.estimate(
        memtable.store(),
        parts,
        (range, records, bytes) -> {
          long partitions = records;
          long all = bytes;
          for (SSTableReader file : table.getLiveSSTables()) {
            long keys = file.estimatedKeysForRanges(List.of(range));
            partitions += keys;
            all += keys * file.getEstimatedPartitionSize().mean();
          }
          estimates.put(range, Pair.create(partitions, partitions == 0 ? 0 : all / partitions));
        });
    return estimates;
  }
}
