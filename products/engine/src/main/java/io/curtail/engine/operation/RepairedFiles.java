/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.GenerationState;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.ActiveRepairService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data files of Cassandra beside rows in RocksDB that an incremental repair has marked as repaired.
 * The next one leaves them out, with the deletions that they have, but takes all rows in RocksDB:
 * what is deleted would come back on other nodes. So the mark goes.
 *
 * <p>Thread-safe.
 */
final class RepairedFiles {
  private static final Logger logger = LoggerFactory.getLogger(RepairedFiles.class);

  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /** Takes the mark from the files of a table that nobody compacts now. */
  void unmark(ColumnFamilyStore table, StoredTable memtable) {
    if (memtable.store().state() != GenerationState.SERVING || memtable.store().family() == null) {
      return;
    }
    for (SSTableReader file : table.getLiveSSTables()) {
      if (file.isRepaired()) {
        unmark(table, file);
        if (!file.isRepaired() && told.add(memtable.name())) {
          logger.info(
              "Data files of {} beside its rows in RocksDB do not count as repaired: the next"
                  + " incremental repair reads them, too",
              memtable.name());
        }
      }
    }
  }

  private static void unmark(ColumnFamilyStore table, SSTableReader file) {
    try (LifecycleTransaction transaction =
        table.getTracker().tryModify(file, OperationType.ANTICOMPACTION)) {
      // Who has paused compactions rests on nobody's having a file.
      if (transaction != null && table.getCompactionStrategyManager().isActive()) {
        table
            .getCompactionStrategyManager()
            .mutateRepaired(
                Set.of(file),
                ActiveRepairService.UNREPAIRED_SSTABLE,
                ActiveRepairService.NO_PENDING_REPAIR,
                false);
      }
    } catch (IOException e) {
      logger.warn("{} still counts as repaired; it is tried again", file, e);
    }
  }
}
