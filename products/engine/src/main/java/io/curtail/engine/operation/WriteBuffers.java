/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.Family;
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
 * Holds what all column families have in write buffers to what they may take.
 *
 * <p>A write looks for its place among the records of a write buffer, and most of its time goes to
 * waiting for memory: so the buffer of a table is made of parts that the processor's caches can
 * hold, which are flushed together. RocksDB limits the parts that are written to, but not those
 * that wait for others: what many tables have of these is flushed here. Idle iterators hold some,
 * as well as files that were compacted: they are closed.
 *
 * <p>Nobody but the timer calls it.
 */
public final class WriteBuffers {
  private static final Logger logger = LoggerFactory.getLogger(WriteBuffers.class);

  private static final long PERIOD_SECONDS = 1;
  private static final String BYTES = "rocksdb.cur-size-all-mem-tables";
  private static final String PARTS = "rocksdb.num-immutable-mem-table";

  private final Database database;

  /** Of a node; not started. */
  public WriteBuffers(Database database) {
    this.database = database;
  }

  /** Looks again and again from now on; once. */
  public void start() {
    ScheduledFuture<?> unused =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::check, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  private void check() {
    try {
      database.families.closeIdleIterators();
      long surplus = database.sum(BYTES) - database.options.writeBuffersBytes;
      if (surplus > 0
          && database.rocksdb.getLongProperty("rocksdb.num-running-flushes") == 0
          && database.families.mayFlush()) {
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

  /** Starts to flush the column families with the most. */
  private void flush(long surplus) throws RocksDBException {
    long left = surplus;
    for (Waiting next : fullestFirst()) {
      if (left <= 0) {
        return;
      }
      left -= next.bytes;
      flush(next.family);
    }
  }

  /** Those with parts that wait: of tables, of their indexes, and of what is only compared. */
  private List<Waiting> fullestFirst() throws RocksDBException {
    List<Waiting> found = new ArrayList<>();
    for (String family : database.families.names()) {
      try (Family.Use use = database.use(family)) {
        if (use != null && database.rocksdb.getLongProperty(use.handle, PARTS) > 0) {
          long bytes = database.rocksdb.getLongProperty(use.handle, BYTES);
          found.add(new Waiting(family, bytes));
        }
      }
    }
    found.sort(Comparator.comparingLong(waiting -> -waiting.bytes));
    return found;
  }

  /** What a column family has in write buffers, at one moment. */
  private static final class Waiting {
    private final String family;
    private final long bytes;

    Waiting(String family, long bytes) {
      this.family = family;
      this.bytes = bytes;
    }
  }

  private void flush(String family) throws RocksDBException {
    try (FlushOptions starting =
            new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true);
        Family.Use use = database.use(family)) {
      if (use != null) {
        use.run(handle -> database.rocksdb.flush(starting, handle));
      }
    }
  }
}
