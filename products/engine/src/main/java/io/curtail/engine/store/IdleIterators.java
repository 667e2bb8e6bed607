/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Iterators of a column family that nobody uses now. To make one and to close it takes longer than
 * to read a few rows with it; one that is refreshed sees all that a new one would.
 *
 * <p>An idle iterator holds write buffers and files that RocksDB could give up. So there are few,
 * and they are closed {@linkplain #drain now and then}. Thread-safe.
 */
public final class IdleIterators {
  /** Of a node. */
  private static final int MOST = 64;

  /** Of a column family; a power of two. */
  private static final int SLOTS = 8;

  private final RocksDB database;
  private final ColumnFamilyHandle family;
  private final ReadOptions reading;
  private final AtomicInteger placesTaken;
  private final AtomicReferenceArray<RocksIterator> slots = new AtomicReferenceArray<>(SLOTS);
  private final AtomicInteger drains = new AtomicInteger();
  private volatile boolean closed;

  /**
   * @param placesTaken how many there are in all column families
   */
  IdleIterators(
      RocksDB database, ColumnFamilyHandle family, ReadOptions reading, AtomicInteger placesTaken) {
    this.database = database;
    this.family = family;
    this.reading = reading;
    this.placesTaken = placesTaken;
  }

  /** An iterator as of now, while the column family's handle is open; the caller closes it. */
  public PartitionIterator take() {
    int before = drains.get();
    RocksIterator idle = poll();
    return idle != null && isRefreshed(idle)
        ? new PartitionIterator(this, idle, true, before)
        : new PartitionIterator(this, database.newIterator(family, reading), false, before);
  }

  private RocksIterator poll() {
    int first = firstSlot();
    for (int i = 0; i < SLOTS; i++) {
      int slot = (first + i) % SLOTS;
      RocksIterator idle = slots.get(slot) == null ? null : slots.getAndSet(slot, null);
      if (idle != null) {
        return idle;
      }
    }
    return null;
  }

  private boolean isRefreshed(RocksIterator idle) {
    try {
      idle.refresh();
      return true;
    } catch (RocksDBException | RuntimeException e) {
      close(idle, true);
      return false;
    }
  }

  /** Keeps an iterator, unless what it holds may have to go. */
  void giveBack(PartitionIterator used) {
    boolean mayStay = !closed && drains.get() == used.drainsBefore && isSound(used.records);
    if (!mayStay || !(used.hasPlace || takePlace())) {
      close(used.records, used.hasPlace);
    } else if (!offer(used.records)) {
      close(used.records, true);
    } else if (drains.get() != used.drainsBefore) {
      // Perhaps before it was there.
      drain();
    }
  }

  private static boolean isSound(RocksIterator iterator) {
    try {
      iterator.status();
      return true;
    } catch (RocksDBException | RuntimeException e) {
      return false;
    }
  }

  private boolean takePlace() {
    if (placesTaken.incrementAndGet() <= MOST) {
      return true;
    }
    placesTaken.decrementAndGet();
    return false;
  }

  private boolean offer(RocksIterator iterator) {
    int first = firstSlot();
    for (int i = 0; i < SLOTS; i++) {
      int slot = (first + i) % SLOTS;
      if (slots.get(slot) == null && slots.compareAndSet(slot, null, iterator)) {
        return true;
      }
    }
    return false;
  }

  /** Threads seldom meet in one. */
  private static int firstSlot() {
    return (int) Thread.currentThread().getId() & (SLOTS - 1);
  }

  /** Closes those that are idle, and those in use when they are given back. */
  void drain() {
    drains.incrementAndGet();
    for (int slot = 0; slot < SLOTS; slot++) {
      RocksIterator idle = slots.getAndSet(slot, null);
      if (idle != null) {
        close(idle, true);
      }
    }
  }

  void close(RocksIterator iterator, boolean hasPlace) {
    iterator.close();
    if (hasPlace) {
      placesTaken.decrementAndGet();
    }
  }

  /** Keeps none from now on. */
  void close() {
    closed = true;
    drain();
  }
}
