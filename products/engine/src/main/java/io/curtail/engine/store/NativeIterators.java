/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

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
   * Ties an iterator, and what it needs, to its owner.
   *
   * @return closes them in this order, once however often it is called
   */
  public static Cleaner.Cleanable tie(Object owner, AutoCloseable... iterator) {
    OPEN.incrementAndGet();
    return CLEANER.register(owner, new Closing(iterator));
  }

  /** Must not refer to the owner. */
  private static final class Closing implements Runnable {
    private final AutoCloseable[] iterator;

    Closing(AutoCloseable[] iterator) {
      this.iterator = iterator;
    }

    @Override
    public void run() {
      OPEN.decrementAndGet();
      for (AutoCloseable closeable : iterator) {
        try {
          closeable.close();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
