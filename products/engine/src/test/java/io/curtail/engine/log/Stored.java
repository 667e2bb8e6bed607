/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.RocksDBException;

/** What is said of a storage that is none; the first flushes may fail. */
class Stored implements WriteAheadLog.Storage {
  final ConcurrentLinkedQueue<Set<Integer>> flushed = new ConcurrentLinkedQueue<>();
  final AtomicInteger failures = new AtomicInteger();
  volatile int failing;
  volatile long place;
  volatile long flushedTo = -1;

  Stored() {
    this(0);
  }

  Stored(int failing) {
    this.failing = failing;
  }

  @Override
  public long place() {
    return place;
  }

  @Override
  public boolean isFlushed(int family, long to) {
    return flushedTo >= to;
  }

  @Override
  public void flush(Set<Integer> families) throws RocksDBException {
    if (failures.get() < failing) {
      failures.incrementAndGet();
      throw new RocksDBException("not now");
    }
    flushed.add(Set.copyOf(families));
  }
}
