/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.snapshot;

import io.curtail.engine.codec.ColumnDictionary;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.StorageErrors;
import io.curtail.engine.table.PartitionHalves;
import io.curtail.engine.table.TableStore;
import io.curtail.engine.table.TokenRangeIterator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.MutationExceededMaxSizeException;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.ThrottledUnfilteredIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.CacheService;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.CloseableIterator;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of a snapshot to a table of this node, with the timestamps that they had, so that
 * indexes and views follow. What the table has stays; newer deletions win. Thread-safe.
 */
public final class Restore {
  private static final Logger logger = LoggerFactory.getLogger(Restore.class);

  private static final int ROWS_AT_ONCE = 100;

  /** Of rows that are large, fewer. */
  private static final long MOST_BYTES = 1 << 20;

  private static final int TELL_EACH = 1_000_000;

  private Restore() {}

  /** Deletes what a restore has left that the process did not outlive, of a node that starts. */
  public static void deleteLeftover(Database database) {
    SnapshotDatabase.deleteLeftover(database.directory);
  }

  /**
   * Restores a snapshot. All that it writes is on the disk when it returns; no write of it waits.
   *
   * @param snapshot its name, or the path of its folder, which may be another table's
   * @return how many writes it took: at least one a partition, one for each hundred of its rows,
   *     more if they are large
   * @throws IOException if there is no such snapshot, its columns are not the table's, or its data
   *     files of Cassandra come first
   */
  public static long restore(Database database, TableMetadata metadata, String snapshot)
      throws IOException {
    Path directory = Snapshots.find(metadata, snapshot);
    ColumnDictionary columns = SnapshotColumns.load(metadata, directory);
    if (Snapshots.hasDataFiles(metadata, snapshot)) {
      refuseIfEmpty(metadata, directory.getParent());
      logger.warn(
          "{} has data files of Cassandra as well, as of a table that was not all in RocksDB then:"
              + " nodetool import takes those, before this; if it has not, restore again after it",
          directory.getParent());
    }
    if (!SnapshotDatabase.exists(directory)) {
      return 0;
    }
    FamilyName copy = FamilyName.ofCopy();
    try {
      SnapshotDatabase.copyTo(database, copy.toString(), directory);
      TableStore rows = new TableStore(database, metadata, copy, columns);
      return database.logSync.syncOnce(() -> write(metadata, rows));
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, directory.toString());
    } finally {
      database.dropFamily(copy.toString());
    }
  }

  /** A deletion that is written first, and is old, is purged before it meets the rows of a file. */
  private static void refuseIfEmpty(TableMetadata metadata, Path snapshot) throws IOException {
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(metadata.id);
    if (table.getLiveSSTables().isEmpty() && table.getCurrentMemtable().isClean()) {
      throw new IOException(
          snapshot
              + " has data files of Cassandra as well, and they come first: nodetool import"
              + " --copy-data "
              + metadata.keyspace
              + " "
              + metadata.name
              + " "
              + snapshot
              + ", then restore again");
    }
  }

  /** Writes it at once, or in halves if it is large: the commit log has a limit. */
  private static long write(Keyspace keyspace, PartitionUpdate update) {
    boolean isOne = PartitionHalves.isOne(update);
    if (isOne || update.dataSize() <= MOST_BYTES) {
      try {
        keyspace.apply(new Mutation(update), true, true, false);
        return 1;
      } catch (MutationExceededMaxSizeException e) {
        if (isOne) {
          throw e;
        }
      }
    }
    PartitionHalves halves = PartitionHalves.of(update);
    return write(keyspace, halves.first) + write(keyspace, halves.second);
  }

  private static long write(TableMetadata metadata, TableStore from) {
    Keyspace keyspace = Keyspace.open(metadata.keyspace);
    ColumnFilter all = ColumnFilter.all(metadata);
    DataRange everywhere = DataRange.allData(metadata.partitioner);
    Set<Range<Token>> owned = StorageService.instance.getLocalReplicas(metadata.keyspace).ranges();
    DecoratedKey last = null;
    long others = 0;
    long writes = 0;
    // Of its own, as what throttles it does not close it.
    try (TokenRangeIterator partitions = new TokenRangeIterator(from, metadata, all, everywhere);
        CloseableIterator<UnfilteredRowIterator> parts =
            ThrottledUnfilteredIterator.throttle(partitions, ROWS_AT_ONCE)) {
      while (parts.hasNext()) {
        PartitionUpdate update = PartitionUpdate.fromIterator(parts.next(), all);
        DecoratedKey key = update.partitionKey();
        others += key.equals(last) || Range.isInRanges(key.getToken(), owned) ? 0 : 1;
        last = key;
        long before = writes;
        writes += write(keyspace, update);
        if (writes / TELL_EACH > before / TELL_EACH) {
          logger.info("Restoring {}: {} writes so far", metadata, writes);
        }
      }
    }
    if (metadata.isCounter()) { // of which a cache knows what there was before
      CacheService.instance.invalidateCounterCacheForCf(metadata);
    }
    logger.info("Restored {}: {} writes", metadata, writes);
    if (others > 0) {
      logger.warn(
          "{} of the partitions of {} that were restored are other nodes' now, and no query finds"
              + " them here: restore those nodes too, then nodetool repair --full; curtail engine"
              + " cleanup removes them from this one",
          others,
          metadata);
    }
    return writes;
  }
}
