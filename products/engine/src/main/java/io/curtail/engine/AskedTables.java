/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.StoredPartition;
import io.curtail.engine.table.TableStore;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The memtables that a thread has asked to flush and that did not, since a stream or a validation
 * takes their rows from RocksDB: Cassandra flushes, then chooses data files, then asks for what is
 * beside them. What moved in between may be in neither, and is refused.
 *
 * <p>A memtable that is made while rows move knows that ({@link
 * io.curtail.engine.table.MoveGuard}); one that comes after it, or stays in RocksDB, does not. And
 * Cassandra asks without naming the table. So a thread remembers, for a day: as long as a stream of
 * many tables, or a repair, may take. What it remembers of one that is over it may refuse once, in
 * vain.
 */
final class AskedTables {
  static final long KEPT_NANOS = TimeUnit.DAYS.toNanos(1);

  /** By table, when this thread asked last. */
  private static final ThreadLocal<Map<RocksMemtable, Long>> ASKED =
      ThreadLocal.withInitial(WeakHashMap::new);

  private AskedTables() {}

  /** This thread asked, and is told no. */
  static boolean add(RocksMemtable memtable) {
    ASKED.get().put(memtable, System.nanoTime());
    return false;
  }

  /** This thread reads the rows in RocksDB. */
  static void remove(RocksMemtable memtable) {
    ASKED.get().remove(memtable);
  }

  /**
   * This thread has chosen data files, and asks for what is beside them.
   *
   * @throws IllegalStateException if a table has moved, or moves, since the thread asked
   */
  static void check() {
    check(System.nanoTime());
  }

  static void check(long nowNanos) {
    Map<RocksMemtable, Long> asked = ASKED.get();
    asked.values().removeIf(askedNanos -> nowNanos - askedNanos > KEPT_NANOS);
    TableStore moved = null;
    for (RocksMemtable memtable : asked.keySet()) {
      if (isMoving(memtable)) {
        moved = memtable.store();
      }
    }
    if (moved != null) {
      asked.clear();
      throw StoredPartition.hasMoved(moved);
    }
  }

  private static boolean isMoving(RocksMemtable memtable) {
    GenerationState state = memtable.store().state();
    return state == GenerationState.MOVING_OUT || state == GenerationState.MOVED;
  }
}
