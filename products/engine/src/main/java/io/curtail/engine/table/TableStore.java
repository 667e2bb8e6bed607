/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import io.curtail.engine.codec.ColumnDictionary;
import io.curtail.engine.codec.ColumnView;
import io.curtail.engine.codec.ExactTypes;
import io.curtail.engine.codec.PartitionKeys;
import io.curtail.engine.codec.RecordDecoder;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.Garbage;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.store.Level;
import io.curtail.engine.store.StorageErrors;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.DroppedColumn;
import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * One generation of one table: its column family, created with the first write, and what reading
 * and writing it needs. A truncation starts a new generation.
 *
 * <p>What RocksDB cannot read or write is an {@link org.apache.cassandra.io.FSError}. Thread-safe.
 */
public final class TableStore {
  /** Where it is. */
  public final Database database;

  /** As {@code keyspace/table/id}. */
  public final String table;

  /** Counted from zero. */
  public final int generation;

  /** How partitions are written in keys. */
  public final PartitionKeys keys;

  /** Of its partitions. */
  public final PartitionLocks locks = new PartitionLocks();

  /** The numbers of its columns. */
  public final ColumnDictionary columns;

  /** The data files of Cassandra that were taken into it. */
  public final AbsorbedFiles absorbed = new AbsorbedFiles();

  /** Who chooses data files of Cassandra now. */
  public final FilesAwaited filesAwaited = new FilesAwaited();

  /** Who writes received files to it now. */
  public final ReceivedStreams receivedStreams = new ReceivedStreams();

  /** False if a partition has at most one row: a table without clustering columns. */
  final boolean isClustered;

  /** Whether it is the hidden table of an index. */
  public final boolean isIndex;

  /** Whether rows keep their clustering beside the comparable form in the key. */
  final boolean keepsClustering;

  private final FamilyName name;

  private volatile Family family;

  /** Whether the column family is there, and nobody's any more. */
  private boolean isDropDue;

  private volatile GenerationState state = GenerationState.SERVING;
  private final Object announcing = new Object();
  private volatile Garbage garbage;

  /** What columns had been dropped when a sweep that went over all of it began. */
  private volatile Map<ByteBuffer, DroppedColumn> sweptOf = Map.of();

  private volatile ColumnView view;
  private volatile ChangedPartitions changes;

  /** A generation of a table, with the column family that it has or none yet. */
  public TableStore(Database database, TableMetadata metadata, int generation) {
    this(
        database,
        metadata,
        new FamilyName(FamilyName.table(metadata), generation),
        database.catalog.columns(FamilyName.table(metadata)));
  }

  /**
   * The next generation of the same table. Nothing is asked of the disk: the rows of this one may
   * be given up by now, and what is written must find the next.
   */
  public TableStore next(TableMetadata metadata) {
    return new TableStore(
        database, metadata, new FamilyName(table, generation + 1), columns, garbage);
  }

  /** Records of a table in a column family of another name, to be read. */
  public TableStore(
      Database database, TableMetadata metadata, FamilyName name, ColumnDictionary columns) {
    this(
        database,
        metadata,
        name,
        columns,
        FamilyName.isCopy(name.table) ? Garbage.ANYWHERE : database.catalog.garbage(name.table));
  }

  private TableStore(
      Database database,
      TableMetadata metadata,
      FamilyName name,
      ColumnDictionary columns,
      Garbage garbage) {
    this.database = database;
    this.name = name;
    table = name.table;
    generation = name.generation;
    this.columns = columns;
    keys = PartitionKeys.of(metadata.partitioner);
    isIndex = metadata.isIndex();
    isClustered = metadata.comparator.size() > 0;
    keepsClustering = !ExactTypes.all(metadata.comparator.subtypes());
    family = database.families.get(name.toString());
    this.garbage = garbage;
  }

  /** Of the column family. */
  public FamilyName name() {
    return name;
  }

  /**
   * The column family, for those whom Cassandra waits for before it gives a memtable up; null if
   * nothing was written yet.
   */
  public ColumnFamilyHandle family() {
    Family existing = family;
    return existing == null ? null : existing.handle;
  }

  /** The same, with its iterators. */
  Family familyToRead() {
    return family;
  }

  /** A use of the column family, for all others; null if there is none. The caller closes it. */
  public Family.Use use() {
    Family existing = family;
    return existing == null ? null : existing.use();
  }

  /** The column family, made if there is none; for those whom Cassandra waits for. */
  public ColumnFamilyHandle familyToWrite() {
    return familyToIngest().handle;
  }

  /** The same, with its number: for files that come in, and for what is kept. */
  Family familyToIngest() {
    Family existing = family;
    return existing == null ? create() : existing;
  }

  private synchronized Family create() {
    if (family == null) {
      if (FamilyName.isLeftover(name.table)) {
        throw new IllegalStateException(name + " is gone");
      }
      family = database.createFamily(name, state);
    }
    return family;
  }

  /** Where it is in its life. */
  public GenerationState state() {
    return state;
  }

  /** Takes a step in the life of this generation, which is on the disk when this returns. */
  public synchronized void setState(GenerationState next) {
    if (family != null) {
      database.generations.set(name, next);
    }
    state = next;
  }

  /**
   * Does it if the rows are still the table's and nowhere else; no step is taken meanwhile.
   *
   * @return whether it was done
   */
  public synchronized boolean whileServing(Runnable action) {
    if (state == GenerationState.SERVING) {
      action.run();
      return true;
    }
    return false;
  }

  /** What a copy of the table lacks; null if there is no copy. */
  public ChangedPartitions changes() {
    return changes;
  }

  /** Notes from now on what changes; null for no more. */
  public void noteChanges(ChangedPartitions since) {
    changes = since;
  }

  /** A write of a partition begins. */
  void changing(byte[] partition) {
    ChangedPartitions noted = changes;
    if (noted != null) {
      noted.add(partition);
    }
  }

  /**
   * Whether anything was ever written that deletes or expires, or columns were dropped of which no
   * sweep of this process has removed what they had.
   */
  public boolean mayHaveGarbage(TableMetadata metadata) {
    return garbage != Garbage.NONE || !metadata.droppedColumns.equals(sweptOf);
  }

  /** A sweep that began under this version of the schema has gone over all of it. */
  public void swept(TableMetadata metadata) {
    sweptOf = metadata.droppedColumns;
  }

  /**
   * Whether a partition may have a header with anything that a read of these columns asks for, or
   * ranges. A first deletion is told of before it is written: if this is false when a view has been
   * had, none is in the view.
   */
  boolean needsHeader(ColumnFilter filter) {
    return garbage == Garbage.ANYWHERE || !filter.fetchedColumns().statics.isEmpty();
  }

  /** Comes before each update is written. */
  public void announce(PartitionUpdate update) {
    Garbage kind = PartitionWriter.garbage(update);
    if (garbage.compareTo(kind) < 0) {
      addGarbage(kind);
    }
  }

  /** Comes before the first write that deletes or expires, of each kind. */
  public void addGarbage(Garbage kind) {
    synchronized (announcing) {
      if (garbage.compareTo(kind) < 0) {
        database.catalog.addGarbage(table, kind);
        garbage = kind;
      }
    }
  }

  /** Its rows begin to move out; false if they are gone, or have moved, by now. */
  public synchronized boolean beginMove() {
    if (!state.isLive()) {
      return false;
    }
    setState(GenerationState.MOVING_OUT);
    return true;
  }

  /** All its rows have moved out, if they were to. */
  public synchronized void endMove() {
    if (state == GenerationState.MOVING_OUT) {
      setState(GenerationState.MOVED);
    }
  }

  /** Its rows are gone, if they were there. */
  public void kill() {
    kill(List.of(this));
  }

  /**
   * The rows of all of them are gone, of those where they were there: on the disk for all or none.
   */
  public static void kill(List<TableStore> stores) {
    List<TableStore> inOrder = new ArrayList<>(stores);
    // In which all threads lock them.
    inOrder.sort(Comparator.comparing(store -> store.name.toString()));
    kill(inOrder, 0);
  }

  private static void kill(List<TableStore> stores, int locked) {
    if (locked < stores.size()) {
      synchronized (stores.get(locked)) {
        kill(stores, locked + 1);
      }
      return;
    }
    List<TableStore> live = new ArrayList<>();
    List<FamilyName> written = new ArrayList<>();
    for (TableStore store : stores) {
      if (store.state.isLive()) {
        live.add(store);
        if (store.family != null) {
          written.add(store.name);
        }
      }
    }
    if (!written.isEmpty()) {
      live.get(0).database.generations.set(written, GenerationState.DEAD);
    }
    live.forEach(store -> store.state = GenerationState.DEAD);
  }

  /** Its rows are gone for this process, if they were there: the disk is told by {@link #drop}. */
  public synchronized void giveUp() {
    if (state.isLive()) {
      state = GenerationState.DEAD;
    }
  }

  /** A numeric property of the column family, zero if there is none. */
  public long property(String property) {
    try (Family.Use use = use()) {
      return use == null ? 0 : database.rocksdb.getLongProperty(use.handle, property);
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, database.directory);
    }
  }

  /** What its files take; of rows that stand in several, all count. */
  public long fileBytes() {
    return property("rocksdb.live-sst-files-size");
  }

  /** Files in level 0, each of which a read may have to look into. */
  public long level0Files() {
    try (Family.Use use = use()) {
      return use == null
          ? 0
          : Long.parseLong(database.rocksdb.getProperty(use.handle, "rocksdb.num-files-at-level0"));
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, database.directory);
    }
  }

  /** Those levels of its tree that have files, lowest first. */
  public List<Level> levels() {
    try (Family.Use use = use()) {
      return use == null
          ? List.of()
          : Level.of(database.rocksdb.getMapProperty(use.handle, "rocksdb.cfstats"));
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, database.directory);
    }
  }

  /** Drops the column family, if there is one; those who use it may go on. */
  public synchronized void drop() {
    // Once: the name may be that of a table that was made since. And nobody may read it any more,
    // also if it cannot be dropped now.
    isDropDue |= family != null;
    family = null;
    if (isDropDue) {
      database.dropFamily(name.toString());
      isDropDue = false;
    }
  }

  /** The columns under a version of the schema. */
  ColumnView view(TableMetadata metadata) {
    ColumnView current = view;
    if (current == null || !current.isOf(metadata, columns)) {
      current = new ColumnView(metadata, columns);
      view = current;
    }
    return current;
  }

  /** The value of a record, which an iterator is moved to; null if there is none. */
  byte[] valueAt(RocksIterator records, byte[] key) {
    records.seek(key);
    if (records.isValid()) {
      return Arrays.equals(records.key(), key) ? records.value() : null;
    }
    database.check(records);
    return null;
  }

  /** Whether what is written may be added without reading what is there. */
  boolean mergesBlindly(TableMetadata metadata) {
    return database.isMergingNatively() && view(metadata).mergesBlindly();
  }

  RecordDecoder decoder(TableMetadata metadata, boolean strict) {
    return new RecordDecoder(metadata.comparator, view(metadata), keepsClustering, strict);
  }
}
