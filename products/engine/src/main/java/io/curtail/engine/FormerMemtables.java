/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;

/** The memtables that tables had before they were altered to RocksDB, until they are flushed. */
final class FormerMemtables {
  private FormerMemtables() {}

  /** Whether there is one of a table that uses this factory. */
  static boolean anyOf(Memtable.Factory factory) {
    for (ColumnFamilyStore table : ColumnFamilyStore.all()) {
      if (table.metadata().params.memtable.factory().equals(factory) && hasFormer(table)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasFormer(ColumnFamilyStore table) {
    for (ColumnFamilyStore tableOrIndex : table.concatWithIndexes()) {
      if (hasFormer(tableOrIndex.getTracker().getView())) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasFormer(View view) {
    return Stream.concat(view.liveMemtables.stream(), view.flushingMemtables.stream())
        .anyMatch(memtable -> !(memtable instanceof RocksMemtable));
  }
}
