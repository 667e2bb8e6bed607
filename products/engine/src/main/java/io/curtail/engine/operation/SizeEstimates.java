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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has {@code system.size_estimates} and {@code table_estimates}, by which Spark parts its work,
 * count what tables have in RocksDB. Cassandra writes them of all tables every five minutes, of its
 * data files alone. So the largest table of each keyspace is looked at, and all are written again
 * when it is not as it was written last, or old.
 *
 * <p>Not thread-safe.
 */
final class SizeEstimates {
  private static final Logger logger = LoggerFactory.getLogger(SizeEstimates.class);
  private static final long OLD_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final List<String> TABLES = List.of("size_estimates", "table_estimates");

  private final TableStores stores;
  private final Map<String, Written> written = new HashMap<>();

  SizeEstimates(TableStores stores) {
    this.stores = stores;
  }

  /** Of a keyspace. */
  private static final class Written {
    final long nanos = System.nanoTime();
    final Map<ColumnFamilyStore, StoredTable> tables;
    ColumnFamilyStore largest;

    /** Of the largest table. */
    List<Long> sums = List.of(0L, 0L);

    Written(Map<ColumnFamilyStore, StoredTable> tables) {
      this.tables = tables;
    }

    void add(ColumnFamilyStore table) {
      List<Long> now = sums(table);
      if (largest == null || now.get(0) > sums.get(0)) {
        largest = table;
        sums = now;
      }
    }

    boolean isRight(Map<ColumnFamilyStore, StoredTable> now) {
      return tables.equals(now)
          && System.nanoTime() - nanos < OLD_NANOS
          && (largest == null || sums.equals(sums(largest)));
    }
  }

  /** Writes what is not as it was written last, on a node that has a part of the ring. */
  void tell() {
    if (!StorageService.instance.isNormal()) {
      return;
    }
    Map<String, Map<ColumnFamilyStore, StoredTable>> keyspaces = new HashMap<>();
    for (StoredTable memtable : stores.memtables()) {
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
      if (table != null && !memtable.store().isIndex && memtable.store().family() != null) {
        keyspaces
            .computeIfAbsent(table.getKeyspaceName(), absent -> new HashMap<>())
            .put(table, memtable);
      }
    }
    written.keySet().retainAll(keyspaces.keySet());
    keyspaces.forEach(this::tell);
  }

  private void tell(String keyspace, Map<ColumnFamilyStore, StoredTable> tables) {
    Written last = written.get(keyspace);
    if (last != null && last.isRight(tables)) {
      return;
    }
    Written now = new Written(tables);
    try {
      Collection<Range<Token>> primary = StorageService.instance.getPrimaryRanges(keyspace);
      Collection<Range<Token>> local = StorageService.instance.getLocalPrimaryRange();
      tables.forEach(
          (table, memtable) -> {
            write(memtable, table, primary, local);
            now.add(table);
          });
    } catch (RuntimeException | AssertionError e) { // as where it is dropped meanwhile
      logger.warn("The sizes of tables of {} could not be estimated", keyspace, e);
    }
    written.put(keyspace, now); // tried again when it is old
  }

  private static void write(
      StoredTable memtable,
      ColumnFamilyStore table,
      Collection<Range<Token>> primaryRanges,
      Collection<Range<Token>> localRanges) {
    String keyspace = table.getKeyspaceName();
    Map<Range<Token>, Pair<Long, Long>> primary;
    Map<Range<Token>, Pair<Long, Long>> local;
    // What is compacted or absorbed meanwhile must stay open.
    try (ColumnFamilyStore.RefViewFragment files =
        table.selectAndReference(View.selectFunction(SSTableSet.CANONICAL))) {
      primary = estimate(memtable, files.sstables, primaryRanges);
      local =
          Set.copyOf(primaryRanges).equals(Set.copyOf(localRanges))
              ? primary
              : estimate(memtable, files.sstables, localRanges);
    }
    SystemKeyspace.updateSizeEstimates(keyspace, table.name, primary);
    SystemKeyspace.updateTableEstimates(
        keyspace, table.name, SystemKeyspace.TABLE_ESTIMATES_TYPE_PRIMARY, primary);
    SystemKeyspace.updateTableEstimates(
        keyspace, table.name, SystemKeyspace.TABLE_ESTIMATES_TYPE_LOCAL_PRIMARY, local);
    if (ColumnFamilyStore.getIfExists(table.metadata().id) == null) {
      SystemKeyspace.clearEstimates(keyspace, table.name);
    }
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
      StoredTable memtable, List<SSTableReader> files, Collection<Range<Token>> ranges) {
    List<Range<Token>> parts = new ArrayList<>();
    ranges.forEach(range -> parts.addAll(range.unwrap()));
    Map<Range<Token>, Pair<Long, Long>> estimates = new HashMap<>();
    RangeSizes.estimate(
        memtable.store(),
        parts,
        (range, records, bytes) -> {
          long partitions = records;
          long all = bytes;
          for (SSTableReader file : files) {
            if (range.intersects(
                new Bounds<>(file.getFirst().getToken(), file.getLast().getToken()))) {
              long keys = file.estimatedKeysForRanges(List.of(range));
              partitions += keys;
              all += keys * file.getEstimatedPartitionSize().mean();
            }
          }
          estimates.put(range, Pair.create(partitions, partitions == 0 ? 0 : all / partitions));
        });
    return estimates;
  }
}
