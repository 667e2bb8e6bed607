/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.function.BooleanSupplier;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;

/**
 * Limits what compactions read, as Cassandra does. Limiting what is written would delay flushes
 * too, and writers wait for those. Thread-safe.
 */
public final class CompactionThrottle {
  private static final long NO_LIMIT = 1L << 40;

  final RateLimiter limiter;
  private final BooleanSupplier isStopped;

  /** What they may read while none is behind; in bytes per second. */
  private long bytesPerSecond;

  private boolean areBehind;

  /**
   * @param isStopped whether RocksDB takes no writes: its recovery waits until compactions have
   *     ended, so they have no limit
   */
  CompactionThrottle(long bytesPerSecond, BooleanSupplier isStopped) {
    this.bytesPerSecond = bytesPerSecond;
    this.isStopped = isStopped;
    limiter =
        new RateLimiter(
            bytesPerSecond,
            RateLimiter.DEFAULT_REFILL_PERIOD_MICROS,
            RateLimiter.DEFAULT_FAIRNESS,
            RateLimiterMode.READS_ONLY);
  }

  /**
   * Sets how much compactions may read.
   *
   * @param bytes per second, as Cassandra has it: zero for no limit
   */
  public synchronized void set(double bytes) {
    bytesPerSecond = bytes == 0 ? NO_LIMIT : (long) bytes;
    limit();
  }

  /** Lifts that limit, as long as compaction of a table is far behind, or sets it again. */
  public synchronized void hurry(boolean behind) {
    areBehind = behind;
    limit();
  }

  /** Looks whether there is a limit now. */
  synchronized void limit() {
    boolean isHurried = areBehind || isStopped.getAsBoolean();
    limiter.setBytesPerSecond(isHurried ? NO_LIMIT : bytesPerSecond);
  }

  /** How much compactions may read now, in bytes per second. */
  public long bytesPerSecond() {
    return limiter.getBytesPerSecond();
  }
}
