/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import org.rocksdb.RocksIterator;

/**
 * An iterator as of the moment when it was {@linkplain IdleIterators#take taken}, which stays
 * within the keys that share the seek target's fixed prefix. Closing gives it back, for the next
 * reader. For one thread at a time; the last may be the garbage collector's.
 */
public final class PartitionIterator implements AutoCloseable {
  /** What RocksDB has of it; not to be used, nor closed, once this is closed. */
  public final RocksIterator records;

  /** Whether it counts among the idle ones of the node, in use or not. */
  final boolean hasPlace;

  /** How often idle ones had been closed before it was taken. */
  final int drainsBefore;

  private final IdleIterators from;
  private volatile boolean closed;

  PartitionIterator(IdleIterators from, RocksIterator records, boolean hasPlace, int drainsBefore) {
    this.from = from;
    this.records = records;
    this.hasPlace = hasPlace;
    this.drainsBefore = drainsBefore;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      from.giveBack(this);
    }
  }

  /** Closes it for good, after a failure. */
  public void discard() {
    if (!closed) {
      closed = true;
      from.close(records, hasPlace);
    }
  }
}
