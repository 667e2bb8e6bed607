/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.RocksIterator;

/**
 * Iterators of RocksDB that outlive the call that made them. Each pins files and memory; Cassandra
 * drops some without closing them, so the garbage collector closes those.
 */
public final class NativeIterators {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final AtomicLong OPEN = new AtomicLong();

  private NativeIterators() {}

  /** How many are open now. */
  public static long open() {
    return OPEN.get();
  }

  /**
   * Ties an iterator to its owner.
   *
   * @return closes the iterator, once however often it is called
   */
  public static Cleaner.Cleanable tie(Object owner, RocksIterator iterator, AutoCloseable... with) {
    OPEN.incrementAndGet();
    return CLEANER.register(owner, new Closing(iterator, with));
  }

  /** Must not refer to the owner. */
  private static final class Closing implements Runnable {
    private final RocksIterator iterator;
    private final AutoCloseable[] with;

    Closing(RocksIterator iterator, AutoCloseable[] with) {
      this.iterator = iterator;
      this.with = with;
    }

    @Override
    public void run() {
      OPEN.decrementAndGet();
      iterator.close();
      for (AutoCloseable closeable : with) {
        try {
          closeable.close();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
