/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs RocksDB's log in the background and makes writers wait as the {@linkplain SyncMode mode}
 * asks.
 *
 * <p>A sync that fails is handed to Cassandra's {@code disk_failure_policy}, fails the writers that
 * wait for it, and is tried again at the next period.
 */
final class LogSync implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(LogSync.class);

  private final BackgroundErrors errors;
  private final RocksDB database;
  private final String directory;
  private final SyncMode mode;
  private final long periodNanos;
  private final Thread thread;
  private final Object monitor = new Object();

  private long started;
  private long finished;
  private long waiting;
  private FSError failure;
  private volatile long durableSinceNanos = System.nanoTime();
  private volatile boolean closed;

  LogSync(
      RocksDB database,
      String directory,
      SyncMode mode,
      long periodMillis,
      BackgroundErrors errors) {
    this.errors = errors;
    this.database = database;
    this.directory = directory;
    this.mode = mode;
    this.periodNanos = TimeUnit.MILLISECONDS.toNanos(periodMillis);
    thread = new Thread(this::run, "rocksdb-log-sync");
    thread.setDaemon(true);
    if (mode != SyncMode.BATCH) {
      thread.start();
    }
  }

  /** Returns when the caller's last write may be acknowledged. */
  void await() {
    if (mode == SyncMode.PERIODIC && lateNanos() > 0) {
      awaitNext();
    } else if (mode == SyncMode.GROUP) {
      awaitNext();
    }
  }

  /** Syncs now, whatever the mode. */
  void sync() {
    long number;
    synchronized (monitor) {
      number = ++started;
    }
    long start = System.nanoTime();
    try {
      RocksDBException broken = errors.logFailure();
      if (broken != null) {
        throw broken;
      }
      database.syncWal();
      synchronized (monitor) {
        if (number > finished) {
          failure = null;
          finished = number;
          durableSinceNanos = start;
        }
        monitor.notifyAll();
      }
    } catch (RocksDBException e) {
      FSError error = StorageErrors.writing(e, directory);
      synchronized (monitor) {
        if (number > finished) {
          failure = error;
          finished = number;
        }
        monitor.notifyAll();
      }
      throw error;
    }
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
      waiting++;
      try {
        while (finished < target && !closed) {
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
      if (failure != null) {
        throw failure;
      }
    }
    if (!synced) {
      sync();
    }
  }

  private boolean isNeeded() {
    synchronized (monitor) {
      return mode == SyncMode.PERIODIC || waiting > 0;
    }
  }

  private void run() {
    while (!closed) {
      try {
        TimeUnit.NANOSECONDS.sleep(periodNanos);
      } catch (InterruptedException e) {
        return;
      }
      try {
        if (isNeeded()) {
          sync();
        }
      } catch (Throwable t) {
        // What broke the log was told when it happened.
        if (errors.logFailure() == null) {
          logger.error("RocksDB's log could not be synced", t);
          JVMStabilityInspector.inspectThrowable(t);
        }
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
