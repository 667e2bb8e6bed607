/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.StoredPartition;
import io.curtail.engine.table.TableStore;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The memtables that a thread has asked to flush and that did not, since a stream or a validation
 * takes their rows from RocksDB: Cassandra flushes, then chooses data files, then asks for what is
 * beside them. What moved in between may be in neither, and is refused.
 *
 * <p>A memtable that is made while rows move knows that ({@link
 * io.curtail.engine.table.MoveGuard}); one that comes after it, or stays in RocksDB, does not. And
 * Cassandra asks without naming the table. So a thread remembers; what it remembers of a stream
 * that failed it may refuse once, in vain.
 */
final class AskedTables {
  private static final ThreadLocal<Set<RocksMemtable>> ASKED =
      ThreadLocal.withInitial(() -> Collections.newSetFromMap(new WeakHashMap<>()));

  private AskedTables() {}

  /** This thread asked, and is told no. */
  static boolean add(RocksMemtable memtable) {
    ASKED.get().add(memtable);
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
    Set<RocksMemtable> asked = ASKED.get();
    TableStore moved = null;
    for (RocksMemtable memtable : asked) {
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
