/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;

/**
 * Which generation of each table is current, and what becomes of the others. Thread-safe.
 *
 * <p>Cassandra switches a memtable to truncate or drop a table, whose data is then dead from that
 * moment, before the client hears of it; or because the table moves to another memtable, whose data
 * then lives until all of it is in Cassandra's data files. Indexes have their table's id. They are
 * switched after it and not asked, so the table tells them; one that hears nothing, since its table
 * has another memtable, keeps its data.
 */
final class TableStores {
  private final Engine engine;
  private final Map<String, TableStore> current = new HashMap<>();
  private final Map<String, RocksMemtable> memtables = new HashMap<>();
  private final Map<String, Path> unnamedSnapshots = new HashMap<>();

  TableStores(Engine engine) {
    this.engine = engine;
  }

  /**
   * The store of a memtable that Cassandra makes: the one that was current when the node stopped,
   * or a new generation if the table has a memtable already.
   */
  synchronized TableStore open(TableMetadata metadata) {
    String table = TableStore.table(metadata);
    TableStore previous = current.get(table);
    int generation =
        previous != null
            ? previous.generation + 1
            : Math.max(newest(table), engine.catalog.deadGeneration(table) + 1);
    TableStore store = new TableStore(engine, metadata, generation);
    current.put(table, store);
    if (previous == null) {
      Generations.collect(engine, metadata, store);
      if (!StorageService.instance.isDaemonSetupCompleted()) {
        TemporaryFiles.delete(metadata);
      }
    }
    return store;
  }

  /** The indexes of a table are about to be switched with their data kept. */
  synchronized void setIndexesMovingOut(TableId id) {
    indexes(id).forEach(TableStore::setMovingOut);
  }

  /** The indexes of a table that is dead are switched next, with nothing of their data kept. */
  synchronized void setIndexesDying(TableId id) {
    indexes(id).forEach(TableStore::setDying);
  }

  /** The generation is dead, although Cassandra may still read it for a moment. */
  void setDead(TableStore store) {
    engine.catalog.setDeadGeneration(store.table, store.generation);
  }

  private Stream<TableStore> indexes(TableId id) {
    return current.values().stream()
        .filter(store -> store.isIndex && store.table.endsWith("/" + id));
  }

  /** The memtables that Cassandra writes to now. */
  synchronized List<RocksMemtable> memtables() {
    return new ArrayList<>(memtables.values());
  }

  synchronized void setMemtable(RocksMemtable memtable) {
    memtables.put(memtable.store().table, memtable);
  }

  /** The memtable is gone; the table has another one by now, or is gone too. */
  synchronized void forget(RocksMemtable memtable) {
    TableStore store = memtable.store();
    current.remove(store.table, store);
    memtables.remove(store.table, memtable);
  }

  /** Keeps what a truncation is about to remove, if such snapshots are wanted. */
  synchronized void keepForSnapshot(TableStore store, TableMetadata metadata) {
    boolean wanted = DatabaseDescriptor.isAutoSnapshot() && metadata.params.allowAutoSnapshot;
    Path kept = wanted ? Snapshots.takeUnnamed(store, metadata) : null;
    if (kept != null) {
      unnamedSnapshots.put(store.table, kept);
    }
  }

  synchronized boolean awaitsSnapshot(TableStore store) {
    return unnamedSnapshots.containsKey(store.table);
  }

  /** Gives what was kept its name; false if nothing was. */
  synchronized boolean nameSnapshot(TableStore store, TableMetadata metadata, String snapshot) {
    Path kept = unnamedSnapshots.remove(store.table);
    if (kept != null) {
      Snapshots.name(kept, metadata, snapshot);
    }
    return kept != null;
  }

  /** Whether a column family belongs to a table that is open. */
  synchronized boolean isOpen(String family) {
    TableStore store = current.get(Generations.table(family));
    return store != null && store.family() != null;
  }

  /** Drops the data of secondary indexes that the table no longer has. */
  synchronized void dropIndexesBut(TableMetadata metadata) {
    Set<String> kept = new HashSet<>();
    kept.add(TableStore.table(metadata));
    metadata.indexes.forEach(
        index ->
            kept.add(metadata.keyspace + "/" + metadata.indexTableName(index) + "/" + metadata.id));
    for (String family : engine.families()) {
      String table = Generations.table(family);
      if (table.endsWith("/" + metadata.id) && !kept.contains(table)) {
        current.remove(table);
        memtables.remove(table);
        engine.dropFamily(family);
      }
    }
  }

  private int newest(String table) {
    int newest = 0;
    for (String family : engine.families()) {
      if (Generations.table(family).equals(table)) {
        newest = Math.max(newest, Generations.number(family));
      }
    }
    return newest;
  }
}
