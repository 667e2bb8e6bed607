/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells Cassandra what tables take of the disk in RocksDB, so that {@code nodetool tablestats} and
 * the load of the node have it beside data files.
 *
 * <p>Not thread-safe.
 */
final class DiskUse {
  private final TableStores stores;

  /** In bytes. */
  private final Map<StoredTable, Long> told = new HashMap<>();

  DiskUse(TableStores stores) {
    this.stores = stores;
  }

  /** Tells what has changed since the last time. */
  void tell() {
    Set<StoredTable> all = new HashSet<>(stores.memtables());
    for (StoredTable memtable : all) {
      tell(memtable, memtable.store().fileBytes());
    }
    Set<StoredTable> gone = new HashSet<>(told.keySet());
    gone.removeAll(all);
    for (StoredTable memtable : gone) {
      tell(memtable, 0);
      told.remove(memtable);
    }
  }

  private void tell(StoredTable memtable, long bytes) {
    Long before = told.put(memtable, bytes);
    memtable.addToDiskUse(bytes - (before == null ? 0 : before));
  }
}
