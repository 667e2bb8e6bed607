/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Operations that read a table's RocksDB first and choose its data files of Cassandra then, such as
 * a snapshot: what goes from the files to RocksDB in between they would not have. Cassandra tells
 * when the first part ends; the choice follows at once, and is given a second.
 *
 * <p>A second in which the process could run: whoever waits looks often, and of the time between
 * two looks no more counts than such looks are apart. A process that stood still, stopped or in a
 * long collection of garbage, has chosen nothing meanwhile.
 *
 * <p>Thread-safe.
 */
public final class FilesAwaited {
  /** How long a choice of files may take, in nanoseconds. */
  public static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What counts of the time between two looks. */
  private static final long MOST_BETWEEN_LOOKS_NANOS = GRACE_NANOS / 10;

  /** Nobody stands still for so long, so that who looks first after that need not look again. */
  private static final long LONG_AGO_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final LongSupplier clock;
  private int reading;
  private long endedNanos;
  private long lookedNanos;
  private long runningNanos;

  /** Nobody has read yet. */
  public FilesAwaited() {
    this(System::nanoTime);
  }

  FilesAwaited(LongSupplier clock) {
    this.clock = clock;
    lookedNanos = clock.getAsLong();
    endedNanos = lookedNanos - LONG_AGO_NANOS;
  }

  /** Somebody reads RocksDB now. */
  public synchronized void begin() {
    reading++;
  }

  /** He has read it, and chooses files next. */
  public synchronized void end() {
    reading--;
    endedNanos = clock.getAsLong();
    lookedNanos = endedNanos;
    runningNanos = 0;
  }

  /** Whether there is one that may not have chosen its files yet. */
  public synchronized boolean areAny() {
    long now = clock.getAsLong();
    runningNanos += Math.min(now - lookedNanos, MOST_BETWEEN_LOOKS_NANOS);
    lookedNanos = now;
    boolean mayChoose = runningNanos < GRACE_NANOS && now - endedNanos < LONG_AGO_NANOS;
    return reading > 0 || mayChoose;
  }
}
