/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs the {@linkplain WriteAheadLog log} in the background and makes writers wait as the
 * {@linkplain SyncMode mode} asks.
 *
 * <p>A sync that fails is the last, and so is this thread's work: it says so once, hands the
 * failure to Cassandra's {@code disk_failure_policy}, and fails the writers that wait and all that
 * come. No write is taken after it. Thread-safe.
 */
public final class LogSync implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(LogSync.class);

  private final WriteAheadLog log;
  private final String directory;
  private final Consumer<Throwable> failures;
  private final SyncMode mode;
  private final long periodNanos;
  private final LongSupplier nanoTime;
  private final Thread thread;
  private final Object monitor = new Object();

  /** Set for a thread that answers for its writes as a whole. */
  private final ThreadLocal<Boolean> isSyncedOnce = new ThreadLocal<>();

  private long started;
  private long finished;
  private long waiting;

  /** When a sync must have begun at the earliest for those that are late. */
  private long neededSinceNanos;

  /** The first; it stays. */
  private volatile FSError failure;

  /** When the last sync began that succeeded: what was appended before is on the disk. */
  private volatile long durableSinceNanos;

  private volatile boolean closed;

  /**
   * Begins to sync, in a thread of its own.
   *
   * @param directory that errors name
   * @param periodMillis between two syncs, but for {@link SyncMode#BATCH}, which has none
   * @param failures told what fails in that thread
   */
  public LogSync(
      WriteAheadLog log,
      String directory,
      SyncMode mode,
      long periodMillis,
      Consumer<Throwable> failures) {
    this(log, directory, mode, periodMillis, failures, System::nanoTime);
  }

  LogSync(
      WriteAheadLog log,
      String directory,
      SyncMode mode,
      long periodMillis,
      Consumer<Throwable> failures,
      LongSupplier nanoTime) {
    this.log = log;
    this.directory = directory;
    this.mode = mode;
    this.failures = failures;
    this.nanoTime = nanoTime;
    periodNanos = TimeUnit.MILLISECONDS.toNanos(periodMillis);
    durableSinceNanos = nanoTime.getAsLong();
    neededSinceNanos = durableSinceNanos;
    thread = new Thread(this::run, "rocksdb-log-sync");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Returns when the caller's last write may be acknowledged.
   *
   * @throws FSError if the log could not be synced, for this or for another
   */
  public void await() {
    if (isOfEachWrite()) {
      if (isSyncedOnce.get() == null) {
        awaitNext();
      }
      return;
    }
    // Half a period more than there is between two: a sync may take that long unnoticed.
    long since = nanoTime.getAsLong() - periodNanos - periodNanos / 2;
    if (!isDurable(since) || hasFailed()) {
      synchronized (monitor) {
        if (since - neededSinceNanos > 0) {
          neededSinceNanos = since;
          monitor.notifyAll();
        }
      }
      await(() -> isDurable(since) && !log.isBroken());
    }
  }

  /** Whether each write waits for a sync, and not only writers whose last sync is late. */
  public boolean isOfEachWrite() {
    return mode != SyncMode.PERIODIC;
  }

  /**
   * Does something whose writes, as far as this thread makes them, are acknowledged as a whole:
   * none waits for a sync of its own, and all are on the disk when this returns.
   *
   * @throws FSError if the log cannot be synced
   */
  public <T> T syncOnce(Supplier<T> writes) {
    isSyncedOnce.set(true);
    T result;
    try {
      result = writes.get();
    } finally {
      isSyncedOnce.remove();
    }
    sync();
    return result;
  }

  /** Whether a sync failed, whoever asked for it: from then on nothing is written. */
  public boolean hasFailed() {
    return failure != null || log.isBroken();
  }

  /**
   * Syncs now, whatever the mode.
   *
   * @throws FSError if the log cannot be synced
   */
  public void sync() {
    long number;
    synchronized (monitor) {
      number = ++started;
    }
    long start = nanoTime.getAsLong();
    try {
      log.sync();
    } catch (IOException | RuntimeException | Error e) {
      throw failed(e);
    }
    synchronized (monitor) {
      if (number > finished) {
        finished = number;
        durableSinceNanos = start;
      }
      monitor.notifyAll();
    }
  }

  /**
   * {@linkplain WriteAheadLog#revoke Takes a record back}; what fails is as a sync that fails, and
   * is told by the thread that syncs.
   */
  public void revoke(long record, int size) {
    try {
      log.revoke(record, size);
    } catch (IOException | RuntimeException | Error e) {
      FSError told = failed(e);
      logger.debug("A refused write could not be taken out of the log", told);
    }
  }

  /** {@linkplain WriteAheadLog#release Has what the log has of a column family given back}. */
  public long release(int family) {
    return log.release(family);
  }

  /**
   * Whether the log still has anything of what was {@linkplain #release released}.
   *
   * @throws FSError if that will not change, since the log cannot be synced
   */
  public boolean has(long released) {
    if (hasFailed()) {
      sync();
    }
    return log.has(released);
  }

  private FSError failed(Throwable cause) {
    FSError error = new FSWriteError(cause, new File(directory));
    synchronized (monitor) {
      failure = failure == null ? error : failure;
      monitor.notifyAll();
    }
    return error;
  }

  private boolean isDurable(long sinceNanos) {
    return durableSinceNanos - sinceNanos >= 0;
  }

  private void awaitNext() {
    long target;
    synchronized (monitor) {
      target = started + 1;
    }
    await(() -> finished >= target);
  }

  /** Returns when a sync was as it must be; what is asked is asked under the monitor. */
  private void await(BooleanSupplier isSynced) {
    boolean interrupted = false;
    boolean synced;
    synchronized (monitor) {
      if (waiting++ == 0) {
        monitor.notifyAll();
      }
      try {
        while (!isSynced.getAsBoolean() && failure == null && !closed) {
          try {
            monitor.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        waiting--;
      }
      synced = isSynced.getAsBoolean();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (!synced && failure != null) {
        throw failure;
      }
    }
    if (!synced) {
      sync();
    }
  }

  private void awaitNeed() throws InterruptedException {
    if (mode == SyncMode.GROUP) {
      TimeUnit.NANOSECONDS.sleep(periodNanos);
    }
    synchronized (monitor) {
      while (!isNeeded() && failure == null) {
        if (mode == SyncMode.PERIODIC) {
          TimeUnit.NANOSECONDS.timedWait(monitor, leftNanos());
        } else {
          monitor.wait();
        }
      }
    }
  }

  private boolean isNeeded() {
    return mode == SyncMode.PERIODIC
        ? !isDurable(neededSinceNanos) || leftNanos() <= 0
        : waiting > 0;
  }

  /** Of the period since the last sync began. */
  private long leftNanos() {
    return durableSinceNanos + periodNanos - nanoTime.getAsLong();
  }

  private void run() {
    while (!closed) {
      try {
        awaitNeed();
        sync();
      } catch (InterruptedException e) {
        return;
      } catch (FSError e) {
        logger.error(
            "The log of RocksDB's tables in {} could not be synced: their writes are refused until"
                + " the node is started again. Look after the disk first; what the node does"
                + " meanwhile, disk_failure_policy says",
            directory,
            e);
        failures.accept(e);
        return;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    synchronized (monitor) {
      monitor.notifyAll();
    }
  }
}
