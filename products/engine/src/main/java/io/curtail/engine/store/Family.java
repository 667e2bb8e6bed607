/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.RocksDBException;

/**
 * A column family, closed when it was dropped and its last user has gone: RocksDB does not check
 * whether a handle is still open. Thread-safe.
 *
 * <p>A read or write of Cassandra needs no use of its own: a generation is dropped after those that
 * may know it have ended. Whatever Cassandra does not know of has one: sweeps, compactions,
 * flushes, scans, metrics.
 */
public final class Family {
  private static final AtomicInteger CACHED = new AtomicInteger();

  /** As RocksDB knows it. */
  final String name;

  /** Closed with the last use, or when it was dropped without one. */
  public final ColumnFamilyHandle handle;

  /** Kept for readers, while the handle is open. */
  public final IdleIterators iterators;

  /** The same for who reads the table through; what they read is not put into the block cache. */
  public final IdleIterators through;

  /** By which RocksDB knows it. */
  final int number;

  /** Closed with the handle. */
  final ColumnFamilyOptions options;

  /** What universal compaction merges of it; nobody but {@link MergeRoom} asks. */
  MergeLimits mergeLimits = MergeLimits.USUAL;

  /** Those who use it, and one for the engine until it is dropped. */
  private final AtomicInteger users = new AtomicInteger(1);

  private volatile boolean dropped;

  private volatile int cacheNumber = CACHED.incrementAndGet();

  /**
   * @param options that it was made with, closed with it
   */
  Family(
      String name,
      ColumnFamilyHandle handle,
      ColumnFamilyOptions options,
      IdleIterators iterators,
      IdleIterators through) {
    this.name = name;
    this.handle = handle;
    this.iterators = iterators;
    this.through = through;
    this.options = options;
    number = handle.getID();
  }

  /**
   * By which the {@link RecordCache} knows its records; zero while none may be kept or taken, as
   * others come in.
   */
  int cacheNumber() {
    return cacheNumber;
  }

  /** Records come in, or have come, past {@link Database#write}: the cache's are of no use. */
  void comingIn(boolean begun) {
    cacheNumber = begun ? 0 : CACHED.incrementAndGet();
  }

  /** A use of it; null if it is gone. The caller closes the use. */
  public Use use() {
    int before;
    do {
      before = users.get();
      if (before == 0) {
        return null;
      }
    } while (!users.compareAndSet(before, before + 1));
    return new Use(this);
  }

  /** From here on work on it may fail; said before it is dropped. */
  void dropping(boolean begun) {
    dropped = begun;
  }

  /** Lets go what idle iterators hold. */
  void drain() {
    iterators.drain();
    through.drain();
  }

  /** Keeps no idle iterators from now on. */
  void closeIterators() {
    iterators.close();
    through.close();
  }

  /** The engine has dropped it, and gives it to nobody any more. */
  void release() {
    if (users.decrementAndGet() == 0) {
      closeIterators();
      handle.close();
      options.close();
    }
  }

  /** Whether it was dropped and its last user has gone. */
  public boolean isClosed() {
    return users.get() == 0;
  }

  /** While this is open, the handle is. Closed once. */
  public static final class Use implements AutoCloseable {
    /** What RocksDB is called with. */
    public final ColumnFamilyHandle handle;

    /** Whose iterators may be taken. */
    public final Family family;

    private Use(Family family) {
      this.family = family;
      handle = family.handle;
    }

    /**
     * Flushes or compacts it.
     *
     * @return false if it was dropped meanwhile: nothing is left to do, for this family
     */
    public boolean run(Work work) throws RocksDBException {
      try {
        work.run(handle);
        return true;
      } catch (IllegalArgumentException e) {
        // RocksDB's ColumnFamilyDropped has no code in its Java classes, and arrives as this.
        if (family.dropped) {
          return false;
        }
        throw e;
      }
    }

    @Override
    public void close() {
      family.release();
    }
  }

  /** What RocksDB does with a column family, however long it takes. */
  public interface Work {
    void run(ColumnFamilyHandle handle) throws RocksDBException;
  }
}
