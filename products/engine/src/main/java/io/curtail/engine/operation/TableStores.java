/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.snapshot.ExpiringSnapshots;
import io.curtail.engine.snapshot.Snapshots;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.TableStore;
import io.curtail.engine.table.TakeOver;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The generation that is current of each table, and who writes to it. Thread-safe.
 *
 * <p>Cassandra switches a memtable to truncate or drop a table, whose data is then dead from that
 * moment, before the client hears of it; or because the table moves to another memtable, whose data
 * then lives until all of it is in Cassandra's data files. Indexes have their table's id. They are
 * switched after it and not asked, so the table tells them; one that hears nothing, since its table
 * has another memtable, keeps its data.
 *
 * <p>Flushes of all tables of the node ask here, so nobody writes to RocksDB under the monitor but
 * at a start: what is killed or dropped is chosen under it, and goes without it. Who opens a table
 * of a name that is being dropped waits.
 */
public final class TableStores {
  private static final Logger logger = LoggerFactory.getLogger(TableStores.class);

  /** The data files that are only good for now. */
  public final TemporaryFiles temporaryFiles;

  /** Those of them that came back as data. */
  public final ReturnedFiles returnedFiles = new ReturnedFiles();

  /** Those that were taken. */
  final ExpiringSnapshots expiringSnapshots = new ExpiringSnapshots();

  /** Of the tables whose rows move to data files. */
  public final PurgeHolds purgeHolds = new PurgeHolds();

  private final RepairedFiles repairedFiles = new RepairedFiles();
  private final Database database;
  private final Map<String, TableStore> current = new HashMap<>();
  private final Map<String, StoredTable> memtables = new HashMap<>();

  /** The generations that memtables of this process have, also one whose flush failed. */
  private final Set<FamilyName> opened = new HashSet<>();

  private final Map<String, Path> unnamedSnapshots = new HashMap<>();

  /** The tables that are being dropped. */
  private final Set<String> dropping = new HashSet<>();

  /** Those that could not be dropped. */
  private final List<Drop> failed = new ArrayList<>();

  /** Of a node whose tables are not opened yet. */
  public TableStores(Database database, TemporaryFiles temporaryFiles) {
    this.database = database;
    this.temporaryFiles = temporaryFiles;
  }

  /**
   * The store of a memtable that Cassandra makes: the one that was current when the node stopped,
   * or a new generation if the table has a memtable already.
   */
  public TableStore open(TableMetadata metadata) {
    TableStore next = openNext(metadata);
    return next == null ? adopt(metadata, GenerationState.SERVING) : next;
  }

  /** Null if the table has no memtable yet; then Cassandra makes no other meanwhile. */
  private synchronized TableStore openNext(TableMetadata metadata) {
    String table = FamilyName.table(metadata);
    TableStore previous = current.get(table);
    if (previous == null) {
      return null;
    }
    TableStore store = previous.next(metadata);
    setCurrent(store);
    return store;
  }

  /** Whether a table has rows here that no memtable of this process has opened. */
  public synchronized boolean hasUnopened(TableMetadata metadata) {
    String table = FamilyName.table(metadata);
    return !current.containsKey(table) && !dropping.contains(table) && !unopened(table).isEmpty();
  }

  private List<FamilyName> unopened(String table) {
    List<FamilyName> live = new ArrayList<>(database.generations.live(table));
    live.removeAll(opened);
    live.removeAll(notDroppedYet(table));
    return live;
  }

  /** Of one that nobody has written to there is no column family. */
  private int newestGeneration(String table) {
    int newest = database.families.newestGeneration(table);
    for (FamilyName name : notDroppedYet(table)) {
      newest = Math.max(newest, name.generation);
    }
    for (FamilyName name : opened) {
      if (name.table.equals(table)) {
        newest = Math.max(newest, name.generation);
      }
    }
    return newest;
  }

  private void setCurrent(TableStore store) {
    current.put(store.table, store);
    opened.add(store.name());
  }

  /** Whether the rows of a table are here, and not on their way to data files. */
  public synchronized boolean isServing(TableMetadata metadata) {
    TableStore store = current.get(FamilyName.table(metadata));
    return store != null && store.state() == GenerationState.SERVING;
  }

  /** Opens what a table had when the node stopped, as one generation in the given state. */
  public TableStore adopt(TableMetadata metadata, GenerationState state) {
    TableStore store = adoptLive(metadata, state);
    if (!metadata.isIndex()) {
      dropIndexesBut(metadata);
    }
    if (!StorageService.instance.isDaemonSetupCompleted()) {
      temporaryFiles.deleteAtStart(metadata);
      endTruncations(store, metadata);
    }
    return store;
  }

  private synchronized TableStore adoptLive(TableMetadata metadata, GenerationState state) {
    String table = FamilyName.table(metadata);
    awaitDropped(Set.of(table));
    List<FamilyName> live = unopened(table);
    int newest =
        live.isEmpty() ? newestGeneration(table) + 1 : live.get(live.size() - 1).generation;
    TableStore store = new TableStore(database, metadata, newest);
    store.setState(state);
    for (FamilyName older : live) {
      if (older.generation != newest) {
        TakeOver.take(database, metadata, older, store);
        database.generations.set(older, GenerationState.DEAD);
        database.dropFamily(older.toString());
      }
    }
    setCurrent(store);
    return store;
  }

  /** Deletes what streams and repairs have left of a table that is not in RocksDB any more. */
  public void deleteTemporaryFiles(TableMetadata metadata) {
    temporaryFiles.deleteAtStart(metadata);
    database.updateMarker();
  }

  /** The rows of a table's indexes begin to move out with the table's. */
  public void moveIndexes(TableId id) {
    indexes(id).forEach(TableStore::beginMove);
  }

  /** The rows of a table and the entries of its indexes are gone, in one step; or of an index. */
  public void kill(TableStore store) {
    TableStore.kill(withIndexes(store));
  }

  private List<TableStore> withIndexes(TableStore store) {
    List<TableStore> all = new ArrayList<>(List.of(store));
    if (!store.isIndex) {
      all.addAll(indexes(store.name().id()));
    }
    return all;
  }

  private synchronized List<TableStore> indexes(TableId id) {
    return current.values().stream()
        .filter(store -> store.isIndex && store.name().hasId(id))
        .collect(Collectors.toList());
  }

  /** The memtables that Cassandra writes to now. */
  public synchronized List<StoredTable> memtables() {
    return new ArrayList<>(memtables.values());
  }

  /** Looks at the data files that tables get from now on, before a stream brings or reads one. */
  public void watchFiles() {
    ReturnedFiles.trackers(memtables()).forEach(returnedFiles::watch);
  }

  /** Has incremental repairs read the data files that tables have beside their rows here. */
  void unmarkRepairedFiles() {
    for (StoredTable memtable : memtables()) {
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(memtable.metadata().id);
      if (table != null && !memtable.store().isIndex) {
        repairedFiles.unmark(table, memtable);
      }
    }
  }

  /** Cassandra writes to this memtable of a table from now on. */
  public synchronized void setMemtable(StoredTable memtable) {
    memtables.put(memtable.store().table, memtable);
  }

  /** The memtable is gone; the table has another one by now, or is gone too. */
  public synchronized void forget(StoredTable memtable) {
    TableStore store = memtable.store();
    current.remove(store.table, store);
    opened.remove(store.name());
    memtables.remove(store.table, memtable);
  }

  /** Gives the rows of a table up, and keeps them for a snapshot, if one is wanted. */
  public void truncate(TableStore store, TableMetadata metadata) {
    store.filesAwaited.begin();
    try {
      keepForSnapshot(store, metadata);
      kill(store);
    } finally {
      store.filesAwaited.end();
    }
  }

  /**
   * Keeps what a truncation is about to remove, if such snapshots are wanted. It waits for RocksDB
   * to write files, so nobody may wait for it: every flush of the node asks for its tables here.
   */
  private void keepForSnapshot(TableStore store, TableMetadata metadata) {
    Path kept = wantsSnapshot(metadata) ? Snapshots.takeUnnamed(store, metadata) : null;
    if (kept != null) {
      Path left = setUnnamedSnapshot(store, kept);
      if (left != null && !left.equals(kept)) {
        endTruncation(left, store, metadata);
      }
    }
  }

  /** Whether a snapshot is made of a table that is truncated. */
  public static boolean wantsSnapshot(TableMetadata metadata) {
    // Cassandra truncates a view with its table, and takes no snapshot of it.
    return DatabaseDescriptor.isAutoSnapshot()
        && metadata.params.allowAutoSnapshot
        && !metadata.isView();
  }

  private synchronized Path setUnnamedSnapshot(TableStore store, Path kept) {
    return unnamedSnapshots.put(store.table, kept);
  }

  /** Names what an earlier truncation kept that Cassandra gave up before its snapshot. */
  public void endTruncation(TableStore store, TableMetadata metadata) {
    Path left = takeUnnamedSnapshot(store);
    if (left != null) {
      endTruncation(left, store, metadata);
    }
  }

  /**
   * Names what a table was left with by truncations that the process did not outlive. A disk that
   * does not take that, as a full one, keeps no node from its start: the next one tries again.
   */
  public static void endTruncations(TableStore store, TableMetadata metadata) {
    for (Path left : Snapshots.unnamed(metadata)) {
      try {
        endTruncation(left, store, metadata);
      } catch (FSError | UncheckedIOException e) {
        logger.error("What a TRUNCATE of {} removed stays in {} for now", metadata, left, e);
      }
    }
  }

  private static void endTruncation(Path left, TableStore store, TableMetadata metadata) {
    if (wantsSnapshot(metadata) && !Snapshots.isOfLiveRows(left, store)) {
      Snapshots.nameUnfinished(left, metadata);
    } else {
      Snapshots.drop(left);
    }
  }

  /** Whether something is kept for a snapshot that has no name yet. */
  public synchronized boolean awaitsSnapshot(TableStore store) {
    return unnamedSnapshots.containsKey(store.table);
  }

  /** Takes a snapshot; a truncation's has what that has kept, under its name, if it kept any. */
  public void snapshot(TableStore store, TableMetadata metadata, String name, boolean truncates) {
    Path kept = truncates ? takeUnnamedSnapshot(store) : null;
    if (kept != null) {
      Snapshots.name(kept, name);
    } else {
      Snapshots.take(store, metadata, name);
    }
    expiringSnapshots.taken(metadata, name);
  }

  private synchronized Path takeUnnamedSnapshot(TableStore store) {
    return unnamedSnapshots.remove(store.table);
  }

  /** Drops the data of secondary indexes that the table no longer has. */
  public void dropIndexesBut(TableMetadata metadata) {
    Set<String> kept = new HashSet<>();
    kept.add(FamilyName.table(metadata));
    metadata.indexes.forEach(
        index -> kept.add(FamilyName.table(metadata, metadata.indexTableName(index))));
    dropBut(metadata.id, kept);
  }

  /** Drops the data of a table that is gone, and of its indexes. */
  public void dropAll(TableId id) {
    dropBut(id, Set.of());
  }

  /**
   * The tables with rows here that the node's schema does not know, as {@code keyspace/table/id}: a
   * process that ends within a {@code DROP} leaves one, and so does a lost schema. None on a node
   * that starts or joins.
   */
  public synchronized Set<String> unknown() {
    if (!KnownSchema.isWhole()) {
      return Set.of();
    }
    Set<String> unknown = database.generations.tables();
    unknown.removeIf(
        table -> Schema.instance.getTableMetadata(new FamilyName(table, 0).id()) != null);
    unknown.removeAll(current.keySet());
    unknown.removeAll(dropping);
    failed.forEach(drop -> unknown.removeAll(drop.tables));
    return unknown;
  }

  /**
   * Drops the rows of a table that the schema does not know.
   *
   * @throws IllegalArgumentException if it knows it, or no rows of it are here
   */
  public void dropUnknown(String table) {
    KnownSchema.check();
    drop(
        () -> {
          if (!unknown().contains(table)) {
            throw new IllegalArgumentException(
                table + " is not among the tables that no schema knows: " + unknown());
          }
          return Set.of(table);
        });
  }

  private void dropBut(TableId id, Set<String> kept) {
    dropInTime(
        () -> {
          Set<String> tables = new HashSet<>(current.keySet());
          tables.addAll(database.generations.tables());
          tables.removeIf(table -> !new FamilyName(table, 0).hasId(id) || kept.contains(table));
          return tables;
        });
  }

  /** Drops the tables that are chosen under the monitor; when this returns they are gone. */
  private void drop(Supplier<Set<String>> chosen) {
    Drop drop = begin(chosen);
    try {
      drop.run();
    } finally {
      dropped(drop.tables);
    }
  }

  /**
   * The same of tables that the schema has no more. Cassandra must go on, or the node keeps another
   * schema than the others: what fails is tried again by {@link #dropAgain}.
   */
  private void dropInTime(Supplier<Set<String>> chosen) {
    Drop drop = begin(chosen);
    try {
      drop.run();
    } catch (FSError | RuntimeException e) {
      logger.error("RocksDB cannot drop {} now: it is tried again and again", drop.tables, e);
      keep(drop);
    } finally {
      dropped(drop.tables);
    }
  }

  /** The same of the rows of a memtable that is gone, in Cassandra's thread that frees memory. */
  public void dropInTime(TableStore gone) {
    try {
      gone.endMove();
      gone.drop();
    } catch (FSError | RuntimeException e) {
      logger.error("RocksDB cannot drop {} now: it is tried again and again", gone.name(), e);
      Drop drop = new Drop(database, Set.of(gone.table));
      drop.add(gone);
      keep(drop);
    }
  }

  private synchronized void keep(Drop drop) {
    failed.add(drop);
  }

  private synchronized List<Drop> failed() {
    return new ArrayList<>(failed);
  }

  /** Tries again what could not be dropped. */
  void dropAgain() {
    for (Drop drop : failed()) {
      try {
        drop.run();
        logger.info("RocksDB has dropped {} now", drop.tables);
        forgetFailed(drop);
      } catch (FSError | RuntimeException e) {
        logger.debug("RocksDB cannot drop {} yet", drop.tables, e);
      }
    }
  }

  private synchronized void forgetFailed(Drop drop) {
    failed.remove(drop);
  }

  /** Rows of a table that was dropped, and is made again by the same name. */
  private synchronized List<FamilyName> notDroppedYet(String table) {
    return failed.stream().flatMap(drop -> drop.names(table).stream()).collect(Collectors.toList());
  }

  /** As {@link #kill} for a memtable that Cassandra is about to drop: the drop comes later. */
  public void killInTime(TableStore store) {
    try {
      kill(store);
    } catch (FSError | RuntimeException e) {
      logger.warn("The rows of {} go when RocksDB can write that down", store.table, e);
      withIndexes(store).forEach(TableStore::giveUp);
    }
  }

  private synchronized Drop begin(Supplier<Set<String>> chosen) {
    Set<String> tables;
    do {
      tables = chosen.get();
    } while (awaitDropped(tables));
    Drop drop = new Drop(database, tables);
    dropping.addAll(tables);
    for (String table : tables) {
      memtables.remove(table);
      drop.add(table, current.remove(table));
    }
    return drop;
  }

  private synchronized void dropped(Set<String> tables) {
    dropping.removeAll(tables);
    notifyAll();
  }

  /** Whether any of some tables were being dropped; none is when this returns. */
  private synchronized boolean awaitDropped(Set<String> tables) {
    boolean interrupted = false;
    boolean waited = false;
    while (!Collections.disjoint(dropping, tables)) {
      waited = true;
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return waited;
  }
}
