/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.GenerationState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@linkplain Absorb Absorbs} the data files of all tables, one table after another, whenever there
 * are some, if {@code absorb} is set. A table that is copied is left alone; a node that joins or
 * leaves is, too.
 */
public final class Absorber implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Absorber.class);
  private static final long PERIOD_SECONDS = 10;

  private final TableStores stores;
  private final Tasks tasks;
  private final Thread thread;
  private volatile boolean isClosed;

  /** By table, why it was not done last. */
  private final Map<String, String> reasons = new HashMap<>();

  /** Of those, what the log has. */
  private final Map<String, String> told = new HashMap<>();

  /** One that is not started. */
  public Absorber(TableStores stores, Tasks tasks) {
    this.stores = stores;
    this.tasks = tasks;
    thread = new Thread(this::run, "rocksdb-absorber");
    thread.setDaemon(true);
  }

  /** Begins, in a thread of its own; once. */
  public void start() {
    thread.start();
  }

  private void run() {
    while (!isClosed) {
      try {
        TimeUnit.SECONDS.sleep(PERIOD_SECONDS);
      } catch (InterruptedException e) {
        return;
      }
      round();
    }
  }

  /** The thread lives as long as the node, whatever fails: a table may be dropped meanwhile. */
  private void round() {
    for (StoredTable memtable : stores.memtables()) {
      try {
        if (!isClosed && StorageService.instance.isNormal() && mayAbsorb(memtable)) {
          absorb(memtable);
        }
      } catch (Throwable t) {
        logger.error("{} is not absorbed now; it is tried again", memtable.name(), t);
        JVMStabilityInspector.inspectThrowable(t);
      }
    }
  }

  /**
   * Files that will be absorbed are in no copy that is made of RocksDB now, and gone later.
   *
   * @throws IllegalStateException while there are some, with what to do
   */
  public void refuseWhileAnyWait() {
    for (StoredTable memtable : thread.isAlive() ? stores.memtables() : List.<StoredTable>of()) {
      if (mayAbsorb(memtable)) {
        throw new IllegalStateException(
            memtable.name()
                + " has data files of Cassandra that are absorbed soon, whose rows a checkpoint would"
                + " lack: curtail engine absorb, then ask again");
      }
    }
  }

  private static boolean mayAbsorb(StoredTable memtable) {
    ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
    if (table == null
        || memtable.store().isIndex
        || memtable.store().database.logSync.hasFailed()
        || memtable.store().changes() != null
        || memtable.isBeingEmptied()
        || memtable.isLeaving()) {
      return false;
    }
    for (ColumnFamilyStore each : table.concatWithIndexes()) {
      if (each.getCurrentMemtable() instanceof StoredTable && !each.getLiveSSTables().isEmpty()) {
        return memtable.store().state() == GenerationState.SERVING;
      }
    }
    return false;
  }

  private void absorb(StoredTable memtable) {
    try {
      Absorb.run(tasks, memtable);
      reasons.remove(memtable.name());
      told.remove(memtable.name());
    } catch (IllegalStateException e) {
      // It is tried again. Said once, if it lasts: an index is built of what a stream has brought.
      String why = String.valueOf(e.getMessage());
      boolean lasts = why.equals(reasons.put(memtable.name(), why));
      if (lasts && !why.equals(told.put(memtable.name(), why))) {
        logger.warn("{} is not absorbed now: {}", memtable.name(), why);
      }
    } catch (Throwable t) {
      logger.error("{} could not be absorbed; it is tried again", memtable.name(), t);
      JVMStabilityInspector.inspectThrowable(t);
    }
  }

  /** An interrupt while it reads would close the file for all who read it, so there is none. */
  @Override
  public void close() {
    isClosed = true;
  }
}
