/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

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
  private final Map<RocksMemtable, Long> told = new HashMap<>();

  DiskUse(TableStores stores) {
    this.stores = stores;
  }

  /** Tells what has changed since the last time. */
  void tell() {
    Set<RocksMemtable> all = new HashSet<>(stores.memtables());
    for (RocksMemtable memtable : all) {
      tell(memtable, memtable.store().property("rocksdb.live-sst-files-size"));
    }
    Set<RocksMemtable> gone = new HashSet<>(told.keySet());
    gone.removeAll(all);
    for (RocksMemtable memtable : gone) {
      tell(memtable, 0);
      told.remove(memtable);
    }
  }

  private void tell(RocksMemtable memtable, long bytes) {
    Long before = told.put(memtable, bytes);
    memtable.addToDiskUse(bytes - (before == null ? 0 : before));
  }
}
