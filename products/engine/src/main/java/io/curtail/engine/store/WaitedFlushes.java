/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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

  private static final int LOOKS_A_SECOND = 10;

  /** Then whatever runs: flushes of other tables may do so without an end. */
  private static final int MOST_LOOKS = 100;

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private final RocksDB database;
  private final BooleanSupplier isStopped;

  /**
   * @param isStopped whether RocksDB takes no writes, and is asked for nothing
   */
  WaitedFlushes(RocksDB database, BooleanSupplier isStopped) {
    this.database = database;
    this.isStopped = isStopped;
  }

  /**
   * Brings into files what a column family has in memory now.
   *
   * @param mayStallWrites whether it need not wait until writers would not have to wait for it
   */
  void run(Family.Use use, boolean mayStallWrites) throws RocksDBException {
    try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      waiting.setAllowWriteStall(mayStallWrites);
      watch(List.of(use.family), false, () -> use.run(handle -> database.flush(waiting, handle)));
    }
  }

  /** Flushes, and does something that flushes again before it begins. */
  void before(Family.Use use, Family.Work work) throws RocksDBException {
    run(use, false);
    watch(List.of(use.family), true, () -> use.run(work));
  }

  /** Does something that flushes some column families before it begins. */
  void during(Collection<Family> families, Families.Work work) throws RocksDBException {
    watch(families, true, work);
  }

  /**
   * @param isLong whether it is more than a flush, and may take hours: asked ever more rarely,
   *     after 1, 2, 4, 8 s and so on, as parts of a table that is written are flushed so, too
   */
  private void watch(Collection<Family> families, boolean isLong, Families.Work work)
      throws RocksDBException {
    if (isStopped.getAsBoolean()) { // one more would hold up the recovery
      throw new RocksDBException("RocksDB takes no writes now");
    }
    Watch watch = new Watch(families, isLong);
    ScheduledFuture<?> looks =
        TIMER.scheduleWithFixedDelay(watch, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    try {
      work.run();
    } finally {
      looks.cancel(false);
      watch.end();
    }
  }

  /** Asks again for a flush that RocksDB has forgotten. */
  private final class Watch implements Runnable {
    private final Collection<Family> families;
    private final boolean isLong;
    private int looks;
    private boolean isOver;

    Watch(Collection<Family> families, boolean isLong) {
      this.families = families;
      this.isLong = isLong;
    }

    synchronized void end() {
      isOver = true;
    }

    private boolean isTurn() throws RocksDBException {
      if (isLong) {
        return looks % LOOKS_A_SECOND == 0 && Integer.bitCount(looks / LOOKS_A_SECOND) == 1;
      }
      return looks % MOST_LOOKS == 0
          || database.getLongProperty("rocksdb.num-running-flushes") == 0;
    }

    @Override
    public synchronized void run() {
      looks++;
      if (isOver || isStopped.getAsBoolean()) {
        return;
      }
      try (FlushOptions asking = new FlushOptions().setWaitForFlush(false)) {
        asking.setAllowWriteStall(true);
        if (isTurn()) {
          for (Family family : families) {
            ask(family, asking);
          }
        }
      } catch (RocksDBException | RuntimeException e) { // with which the looks would end
        // Who waits is told of what fails; where writes have to stop there is another look.
      }
    }

    private void ask(Family family, FlushOptions asking) throws RocksDBException {
      try (Family.Use use = family.use()) {
        if (use != null && hasParts(use.handle)) {
          use.run(handle -> database.flush(asking, handle));
        }
      }
    }

    private boolean hasParts(ColumnFamilyHandle handle) throws RocksDBException {
      return database.getLongProperty(handle, "rocksdb.num-immutable-mem-table") > 0;
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
