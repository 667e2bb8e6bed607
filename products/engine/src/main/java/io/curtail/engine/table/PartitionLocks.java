/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import com.google.common.util.concurrent.Striped;
import com.google.common.util.concurrent.Uninterruptibles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * Striped locks over the partitions of one table. Writers that only add share a stripe; whoever
 * reads a record to write it back has it alone.
 *
 * <p>A thread has one stripe of a table at a time, or {@link Several}; and it takes those of an
 * index while it has one of the base table, never the other way round.
 */
public final class PartitionLocks {
  private static final int STRIPES = 1024;
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final AtomicLong MADE = new AtomicLong();

  private final Striped<ReadWriteLock> stripes = Striped.readWriteLock(STRIPES);

  /** Where it stands in the order of all. */
  private final long number = MADE.incrementAndGet();

  /** For those that only add. */
  Lock shared(byte[] partition) {
    return stripes.get(Arrays.hashCode(partition)).readLock();
  }

  /** For whoever reads a record to write it back. */
  public Lock exclusive(byte[] partition) {
    return stripes.get(Arrays.hashCode(partition)).writeLock();
  }

  /**
   * Does something while nobody writes to the table; short.
   *
   * @return false if a writer takes long, and nothing was done: he may wait for what the caller
   *     holds
   */
  public boolean whileNobodyWrites(Runnable action) {
    long end = System.nanoTime() + MOST_NANOS;
    int locked = 0;
    try {
      while (locked < stripes.size() && tryLock(locked, end - System.nanoTime())) {
        locked++;
      }
      if (locked < stripes.size()) {
        return false;
      }
      action.run();
      return true;
    } finally {
      while (locked > 0) {
        locked--;
        stripes.getAt(locked).writeLock().unlock();
      }
    }
  }

  private boolean tryLock(int stripe, long nanos) {
    return Uninterruptibles.tryLockUninterruptibly(
        stripes.getAt(stripe).writeLock(), nanos, TimeUnit.NANOSECONDS);
  }

  /** Stripes of several tables, shared; all threads take them in the same order. For one thread. */
  static final class Several {
    private final SortedMap<Long, Stripes> tables = new TreeMap<>();
    private final List<Lock> locked = new ArrayList<>(0);

    void add(PartitionLocks table, byte[] partition) {
      tables
          .computeIfAbsent(table.number, absent -> new Stripes(table.stripes))
          .partitions
          .add(Arrays.hashCode(partition));
    }

    void lockShared() {
      for (Stripes table : tables.values()) {
        for (ReadWriteLock stripe : table.stripes.bulkGet(table.partitions)) {
          Lock lock = stripe.readLock();
          lock.lock();
          locked.add(lock);
        }
      }
    }

    void unlock() {
      locked.forEach(Lock::unlock);
      locked.clear();
    }
  }

  private static final class Stripes {
    private final Striped<ReadWriteLock> stripes;
    private final List<Integer> partitions = new ArrayList<>(2);

    Stripes(Striped<ReadWriteLock> stripes) {
      this.stripes = stripes;
    }
  }
}
