/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A move to Cassandra's data files that a restart interrupted; it goes on when the node is up. */
final class UnfinishedMove {
  private static final Logger logger = LoggerFactory.getLogger(UnfinishedMove.class);
  private static final int WAIT_MILLIS = 500;

  private UnfinishedMove() {}

  static void schedule(ColumnFamilyStore table) {
    logger.warn(
        "Rows of {}.{} are still in RocksDB, since the node stopped while they moved: they are"
            + " served from there, and go to Cassandra's data files when the node is up",
        table.getKeyspaceName(),
        table.name);
    later(table);
  }

  private static void later(ColumnFamilyStore table) {
    Future<?> unused =
        ScheduledExecutors.optionalTasks.schedule(
            () -> goOn(table), WAIT_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static void goOn(ColumnFamilyStore table) {
    if (!StorageService.instance.isDaemonSetupCompleted()) {
      later(table);
      return;
    }
    if (table.isValid()) {
      // An index is flushed with its table.
      ColumnFamilyStore flushed =
          table.isIndex() ? SecondaryIndexManager.getParentCfs(table) : table;
      Future<?> unused = flushed.forceFlush(ColumnFamilyStore.FlushReason.INTERNALLY_FORCED);
    }
  }
}
