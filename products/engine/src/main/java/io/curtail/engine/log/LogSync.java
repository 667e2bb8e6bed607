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
 * <p>A sync that fails is handed to Cassandra's {@code disk_failure_policy}, fails the writers that
 * wait for it, and is the last: no write is taken after it. Thread-safe.
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
  private FSError failure;
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
   * @throws FSError if the log could not be synced
   */
  public void await() {
    if (mode == SyncMode.PERIODIC && lateNanos() > 0) {
      awaitNext();
    } else if (mode != SyncMode.PERIODIC) {
      awaitNext();
    }
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
      synchronized (monitor) {
        if (number > finished) {
          failure = null;
          finished = number;
          durableSinceNanos = start;
        }
        monitor.notifyAll();
      }
    } catch (IOException e) {
      FSError error = new FSWriteError(e, new File(directory));
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
      if (waiting++ == 0) {
        monitor.notifyAll();
      }
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

  private void awaitNeed() throws InterruptedException {
    if (mode != SyncMode.BATCH) {
      TimeUnit.NANOSECONDS.sleep(periodNanos);
    }
    synchronized (monitor) {
      while (mode != SyncMode.PERIODIC && waiting == 0) {
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
      } catch (Throwable t) {
        logger.error("The log could not be synced", t);
        failures.accept(t);
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
