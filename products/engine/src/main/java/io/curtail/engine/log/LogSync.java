/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
  private final Thread thread;
  private final Object monitor = new Object();

  private long started;
  private long finished;
  private long waiting;

  /** The first; it stays. */
  private volatile FSError failure;

  private volatile long durableSinceNanos = System.nanoTime();
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
    this.log = log;
    this.directory = directory;
    this.mode = mode;
    this.failures = failures;
    this.periodNanos = TimeUnit.MILLISECONDS.toNanos(periodMillis);
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
    if (mode != SyncMode.PERIODIC || lateNanos() > 0 || hasFailed()) {
      awaitNext();
    }
  }

  /** Whether a sync failed: from then on nothing is written. */
  public boolean hasFailed() {
    return failure != null;
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
    long start = System.nanoTime();
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
    if (hasFailed() || log.isBroken()) {
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

  /** How far the last sync is behind what writers tolerate: half a period. */
  private long lateNanos() {
    return System.nanoTime() - durableSinceNanos - periodNanos - periodNanos / 2;
  }

  private void awaitNext() {
    boolean interrupted = false;
    boolean synced;
    synchronized (monitor) {
      long target = started + 1;
      if (waiting++ == 0) {
        monitor.notifyAll();
      }
      try {
        while (finished < target && failure == null && !closed) {
          try {
            monitor.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        waiting--;
      }
      synced = finished >= target;
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
    if (mode != SyncMode.BATCH) {
      TimeUnit.NANOSECONDS.sleep(periodNanos);
    }
    synchronized (monitor) {
      while (mode != SyncMode.PERIODIC && waiting == 0 && failure == null) {
        monitor.wait();
      }
    }
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
