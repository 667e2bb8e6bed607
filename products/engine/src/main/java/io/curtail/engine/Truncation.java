/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.apache.cassandra.db.ColumnFamilyStore;

/**
 * Whether Cassandra empties the table of a memtable, which was made for that: it has flushed or
 * thrown away what was before, and discards the data files of that time when all flushes have
 * ended. It tells nobody when it gives up; but until then the thread that made the memtable is in
 * the method that empties. Thread-safe.
 */
final class Truncation {
  private volatile Thread emptying;

  /** Of a memtable that this thread makes. */
  Truncation() {
    Thread maker = Thread.currentThread();
    emptying = isEmptying(maker) ? maker : null;
  }

  /** Whether it goes on; false for ever once it does not. */
  boolean goesOn() {
    Thread thread = emptying;
    if (thread != null && !isEmptying(thread)) {
      emptying = null;
      return false;
    }
    return thread != null;
  }

  /** Whether a thread empties some table. */
  static boolean isEmptying(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("truncateBlocking")
          && frame.getClassName().equals(ColumnFamilyStore.class.getName())) {
        return true;
      }
    }
    return false;
  }
}
