/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdb.RocksDBException;

/**
 * Writers that wait for write buffers, which RocksDB is flushing. They wait here: one that waits
 * within RocksDB holds up all that is written, also the flush with which RocksDB goes on after a
 * full disk, and would wait for that flush for ever (RocksDB, {@code DBImpl::DelayWrite} and {@code
 * DBImpl::ResumeImpl}).
 *
 * <p>One asks again and again, the others wait for it. Thread-safe.
 */
final class StalledWrites {
  private static final long PERIOD_MILLIS = 1;

  /** A write that RocksDB refuses where it would have to wait. */
  interface Write {
    void run() throws RocksDBException;
  }

  private final Lock turn = new ReentrantLock();
  private final LongAdder nanos = new LongAdder();

  /**
   * Returns when it is written.
   *
   * @throws RocksDBException if it fails for another reason than that it would have to wait
   */
  void run(Write write) throws RocksDBException {
    if (isDone(write)) {
      return;
    }
    long start = System.nanoTime();
    turn.lock();
    try {
      while (!isDone(write)) {
        Uninterruptibles.sleepUninterruptibly(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
      }
    } finally {
      turn.unlock();
      nanos.add(System.nanoTime() - start);
    }
  }

  private static boolean isDone(Write write) throws RocksDBException {
    try {
      write.run();
      return true;
    } catch (RocksDBException e) {
      if (StorageErrors.isWait(e)) {
        return false;
      }
      throw e;
    }
  }

  /** How long all have waited together, those that still wait not counted. */
  long micros() {
    return TimeUnit.NANOSECONDS.toMicros(nanos.sum());
  }
}
