/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.snapshot.Snapshots;
import io.curtail.engine.store.GenerationState;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of new snapshots that have nothing of a table's rows in RocksDB: Cassandra asks no memtable
 * for its part of one that is taken with {@code --skip-flush}.
 *
 * <p>For one thread.
 */
final class SnapshotWatch {
  private static final Logger logger = LoggerFactory.getLogger(SnapshotWatch.class);

  /** How the names begin of those that Cassandra takes of data files, for what it does to them. */
  private static final List<String> OF_FILES = List.of("truncated", "dropped", "pre-scrub");

  private final TableStores stores;

  /** By memtable, those that were there at first, or were warned of. */
  private final Map<StoredTable, Set<String>> known = new HashMap<>();

  /** By memtable, new ones at the last look, which may have been taken just then. */
  private final Map<StoredTable, Set<String>> seenOnce = new HashMap<>();

  SnapshotWatch(TableStores stores) {
    this.stores = stores;
  }

  /** Warns of those since the last time. */
  void look() {
    Set<StoredTable> tables = Set.copyOf(stores.memtables());
    known.keySet().retainAll(tables);
    seenOnce.keySet().retainAll(tables);
    for (StoredTable table : tables) {
      if (table.store().state() == GenerationState.SERVING
          && table.store().family() != null
          && !table.isClean()
          && !table.metadata().isIndex()) {
        look(table);
      }
    }
  }

  private void look(StoredTable table) {
    Set<String> now;
    try {
      now = Snapshots.withoutRocks(table.metadata());
    } catch (UncheckedIOException e) {
      logger.debug("The snapshots of {} cannot be looked at", table.name(), e);
      return;
    }
    Set<String> before = known.putIfAbsent(table, now);
    if (before == null) {
      return;
    }
    Set<String> since = new TreeSet<>(now);
    since.removeAll(before);
    since.removeIf(name -> OF_FILES.stream().anyMatch(name::startsWith));
    Set<String> seenTwice = new TreeSet<>(since);
    seenTwice.retainAll(seenOnce.getOrDefault(table, Set.of()));
    seenOnce.put(table, since);
    if (!seenTwice.isEmpty()) {
      before.addAll(seenTwice);
      logger.warn(
          "The snapshots {} have none of the rows that {} has in RocksDB: take them without"
              + " --skip-flush",
          seenTwice,
          table.name());
    }
  }
}
