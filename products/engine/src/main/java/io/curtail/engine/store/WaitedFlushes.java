/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Flushes that somebody waits for. Where another flush of the table is due but has not begun,
 * RocksDB takes the two for one, flushes what the other has to, and leaves the rest in memory until
 * as many parts of the write buffer are full as it flushes together: in a table that is not written
 * for ever (RocksDB, {@code DBImpl::EnqueuePendingFlush} and {@code
 * MemTableList::PickMemtablesToFlush}; issues 12094, 12166 and 13280 of its repository). So it is
 * asked again while a flush is waited for and none runs. Thread-safe.
 */
final class WaitedFlushes {
  private static final long PERIOD_MILLIS = 100;

  /** Whatever runs: flushes of other tables may do so without an end. */
  private static final int MOST_LOOKS = 100;

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private final RocksDB database;

  WaitedFlushes(RocksDB database) {
    this.database = database;
  }

  /**
   * Brings into files what a column family has in memory now.
   *
   * @param mayStallWrites whether it need not wait until writers would not have to wait for it
   * @return false if it was dropped meanwhile
   */
  boolean run(Family.Use use, boolean mayStallWrites) throws RocksDBException {
    Watch watch = new Watch(use.family);
    ScheduledFuture<?> looks =
        TIMER.scheduleWithFixedDelay(watch, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      waiting.setAllowWriteStall(mayStallWrites);
      return use.run(handle -> database.flush(waiting, handle));
    } finally {
      looks.cancel(false);
    }
  }

  /** Asks again for a flush that RocksDB has forgotten. */
  private final class Watch implements Runnable {
    private final Family family;
    private int looks;

    Watch(Family family) {
      this.family = family;
    }

    @Override
    public void run() {
      looks++;
      try (Family.Use use = family.use();
          FlushOptions asking = new FlushOptions().setWaitForFlush(false)) {
        if (use != null && isForgotten(use.handle)) {
          asking.setAllowWriteStall(true);
          use.run(handle -> database.flush(asking, handle));
        }
      } catch (RocksDBException e) {
        // Who waits is told of what fails; where writes have to stop there is another look.
      }
    }

    private boolean isForgotten(ColumnFamilyHandle handle) throws RocksDBException {
      boolean isRunning = database.getLongProperty("rocksdb.num-running-flushes") > 0;
      return database.getLongProperty(handle, "rocksdb.num-immutable-mem-table") > 0
          && (!isRunning || looks % MOST_LOOKS == 0);
    }
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "rocksdb-waited-flushes");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }
}
