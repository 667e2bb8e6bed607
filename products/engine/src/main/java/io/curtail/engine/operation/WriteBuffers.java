/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.Family;
import io.curtail.engine.table.TableStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.utils.NoSpamLogger;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds what all tables have in write buffers to what they may take.
 *
 * <p>A write looks for its place among the records of a write buffer, and most of its time goes to
 * waiting for memory: so the buffer of a table is made of parts that the processor's caches can
 * hold, which are flushed together. RocksDB limits the parts that are written to, but not those
 * that wait for others: what many tables have of these is flushed here.
 *
 * <p>Nobody but the timer calls it.
 */
public final class WriteBuffers {
  private static final Logger logger = LoggerFactory.getLogger(WriteBuffers.class);

  private static final long PERIOD_SECONDS = 1;
  private static final String BYTES = "rocksdb.cur-size-all-mem-tables";

  private final Database database;
  private final TableStores stores;

  /** Of all tables of a node; not started. */
  public WriteBuffers(Database database, TableStores stores) {
    this.database = database;
    this.stores = stores;
  }

  /** Looks again and again from now on; once. */
  public void start() {
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::check, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void check() {
    try {
      long surplus = database.sum(BYTES) - database.options.writeBuffersBytes;
      if (surplus > 0 && database.rocksdb.getLongProperty("rocksdb.num-running-flushes") == 0) {
        flush(surplus);
      }
    } catch (RocksDBException | RuntimeException e) {
      NoSpamLogger.log(
          logger,
          NoSpamLogger.Level.WARN,
          1,
          TimeUnit.MINUTES,
          "Write buffers could not be flushed, trying again: {}",
          e.toString());
    }
  }

  /** Starts to flush the tables with the most. */
  private void flush(long surplus) throws RocksDBException {
    List<StoredTable> fullest = new ArrayList<>(stores.memtables());
    fullest.removeIf(table -> table.store().property("rocksdb.num-immutable-mem-table") == 0);
    fullest.sort(Comparator.comparingLong(table -> -table.store().property(BYTES)));
    long left = surplus;
    for (StoredTable table : fullest) {
      if (left <= 0) {
        return;
      }
      left -= table.store().property(BYTES);
      flush(table.store());
    }
  }

  private void flush(TableStore store) throws RocksDBException {
    try (FlushOptions starting =
            new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true);
        Family.Use use = store.use()) {
      if (use != null) {
        use.run(handle -> database.rocksdb.flush(starting, handle));
      }
    }
  }
}
