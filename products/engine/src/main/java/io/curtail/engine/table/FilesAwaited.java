/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.concurrent.TimeUnit;

/**
 * Operations that read a table's RocksDB first and choose its data files of Cassandra then, such as
 * a snapshot: what goes from the files to RocksDB in between they would not have. Cassandra tells
 * when the first part ends; the choice follows at once, and is given a second.
 *
 * <p>Thread-safe.
 */
public final class FilesAwaited {
  /** How long a choice of files may take, in nanoseconds. */
  public static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private int reading;
  private long endedNanos = System.nanoTime() - GRACE_NANOS;

  /** Somebody reads RocksDB now. */
  public synchronized void begin() {
    reading++;
  }

  /** He has read it, and chooses files next. */
  public synchronized void end() {
    reading--;
    endedNanos = System.nanoTime();
  }

  /** Whether there is one that may not have chosen its files yet. */
  public synchronized boolean areAny() {
    return reading > 0 || System.nanoTime() - endedNanos < GRACE_NANOS;
  }
}
