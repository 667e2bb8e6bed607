/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import com.google.common.util.concurrent.RateLimiter;
import io.curtail.engine.codec.DamagedRecordException;
import io.curtail.engine.codec.UnknownColumnException;
import io.curtail.engine.table.PartitionWalk;
import io.curtail.engine.table.Sweep;
import io.curtail.engine.table.TableStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps the tables that may hold garbage, one after another, at a limited rate, with a pause after
 * each round.
 */
public final class Sweeper implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Sweeper.class);

  private final TableStores stores;
  private final long periodMillis;
  private final RateLimiter bytesPerSecond;
  private final Thread thread;
  private final Set<TableStore> swept = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param bytesPerSecond how much it may read
   */
  public Sweeper(TableStores stores, long periodMillis, long bytesPerSecond) {
    this.stores = stores;
    this.periodMillis = periodMillis;
    this.bytesPerSecond = RateLimiter.create((double) bytesPerSecond);
    thread = new Thread(this::run, "rocksdb-sweeper");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        TimeUnit.MILLISECONDS.sleep(periodMillis);
      } catch (InterruptedException e) {
        return;
      }
      for (StoredTable memtable : stores.memtables()) {
        if (memtable.store().database.logSync.hasFailed()) {
          return;
        }
        try {
          if (!swept.contains(memtable.store())) {
            sweep(memtable);
          }
        } catch (Throwable t) {
          logger.error("The sweep of {} failed; the next is in {} ms", memtable, periodMillis, t);
          JVMStabilityInspector.inspectThrowable(t);
        }
      }
    }
  }

  /**
   * Sweeps one table now and returns how many records it changed. One at a time: a second one could
   * remove a deletion while the log has not yet on the disk that what it covered is gone.
   *
   * @throws IllegalStateException if it is swept already
   */
  public long sweep(StoredTable memtable) {
    TableStore store = memtable.store();
    if (!store.mayHaveGarbage(memtable.metadata())) {
      return 0;
    }
    if (!swept.add(store)) {
      throw new IllegalStateException(memtable.name() + " is swept already: try again later");
    }
    try {
      return sweepAlone(memtable, store);
    } finally {
      swept.remove(store);
    }
  }

  private long sweepAlone(StoredTable memtable, TableStore store) {
    // A deletion goes only after what it covered is gone for good, in a round before.
    store.database.logSync.sync();
    TableMetadata begun = memtable.metadata();
    Sweep sweep =
        new Sweep(store, memtable::metadata, FBUtilities.nowInSeconds(), memtable::mayPurge);
    each(store, partition -> sweep.partition(partition, this::goesOn));
    if (!closed) {
      store.swept(begun);
    }
    if (sweep.removed() > 0) {
      logger.info("Swept {}: {} records removed or made smaller", memtable, sweep.removed());
    }
    return sweep.removed();
  }

  /**
   * Removes the entries of a legacy index that have no row, if it may now, and returns how many
   * they were: nothing for a table. It looks at the row of each entry.
   */
  public long sweepEntries(StoredTable memtable) {
    EntrySweep sweep = EntrySweep.of(memtable, this::goesOn);
    if (sweep == null) {
      return 0;
    }
    // An entry goes only after what made it stale has come to the disk.
    memtable.store().database.logSync.sync();
    each(memtable.store(), sweep::partition);
    logger.info("Swept {}: {} entries without a row removed", memtable, sweep.removed());
    return sweep.removed();
  }

  private void each(TableStore store, Predicate<byte[]> sweep) {
    PartitionWalk partitions = new PartitionWalk(store);
    while (!closed && partitions.hasNext()) {
      try {
        if (!sweep.test(partitions.next())) {
          return;
        }
      } catch (DamagedRecordException | UnknownColumnException e) {
        logger.error("A partition of {} is left as it is, and the sweep goes on", store.table, e);
      }
    }
  }

  /** Waits as long as it takes to read so much. */
  private boolean goesOn(long bytes) {
    bytesPerSecond.acquire((int) Math.max(1, Math.min(bytes, Integer.MAX_VALUE)));
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
