/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.apache.cassandra.schema.TableMetadata;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/**
 * One generation of one table: its column family, created with the first write, and what reading
 * and writing it needs. A truncation starts a new generation.
 *
 * <p>A column family is named {@code keyspace/table/id/generation}. The hidden table of a secondary
 * index has the id of its base table, and a name with a dot. Thread-safe.
 */
final class TableStore {
  final Engine engine;
  final String table;
  final int generation;
  final PartitionKeys keys;
  final PartitionLocks locks = new PartitionLocks();
  final ColumnDictionary columns;

  /** False if a partition has at most one row: a table without clustering columns. */
  final boolean isClustered;

  final boolean isIndex;

  /** Whether rows keep their clustering beside the comparable form in the key. */
  final boolean keepsClustering;

  private volatile ColumnFamilyHandle family;
  private volatile boolean isMovingOut;
  private volatile boolean isDying;
  private volatile boolean mayHaveGarbage;
  private volatile ColumnView view;

  TableStore(Engine engine, TableMetadata metadata, int generation) {
    this(engine, metadata, table(metadata), generation, engine.catalog.columns(table(metadata)));
  }

  /** Records of a table in a column family of another name, to be read. */
  TableStore(Engine engine, TableMetadata metadata, String family, ColumnDictionary columns) {
    this(engine, metadata, Generations.table(family), Generations.number(family), columns);
  }

  private TableStore(
      Engine engine,
      TableMetadata metadata,
      String table,
      int generation,
      ColumnDictionary columns) {
    this.engine = engine;
    this.table = table;
    this.generation = generation;
    this.columns = columns;
    keys = PartitionKeys.of(metadata.partitioner);
    isIndex = metadata.isIndex();
    isClustered = metadata.comparator.size() > 0;
    keepsClustering = !ExactTypes.all(metadata.comparator.subtypes());
    family = engine.family(familyName());
    mayHaveGarbage = engine.catalog.mayHaveGarbage(table);
  }

  /** What the name of each column family of a table starts with. */
  static String table(TableMetadata metadata) {
    return metadata.keyspace + "/" + metadata.name + "/" + metadata.id;
  }

  static int fixedPrefixLength(String familyName) {
    boolean ofTable = familyName.indexOf('/') >= 0 && familyName.indexOf('.') < 0;
    return ofTable ? Murmur3PartitionKeys.TOKEN_BYTES : 0;
  }

  private String familyName() {
    return table + "/" + generation;
  }

  /** The column family; null if nothing was written yet. */
  ColumnFamilyHandle family() {
    return family;
  }

  ColumnFamilyHandle familyToWrite() {
    ColumnFamilyHandle existing = family;
    if (existing == null) {
      existing = engine.createFamily(familyName());
      family = existing;
    }
    return existing;
  }

  /** Whether anything was ever written that deletes or expires. */
  boolean mayHaveGarbage() {
    return mayHaveGarbage;
  }

  void setMayHaveGarbage() {
    if (!mayHaveGarbage) {
      engine.catalog.setMayHaveGarbage(table);
      mayHaveGarbage = true;
    }
  }

  void setMovingOut() {
    isMovingOut = true;
  }

  /** Whether the data goes to Cassandra's data files when Cassandra switches the memtable. */
  boolean isMovingOut() {
    return isMovingOut;
  }

  void setDying() {
    isDying = true;
  }

  /** Whether this is of an index whose table was truncated or dropped. */
  boolean isDying() {
    return isDying;
  }

  /** A numeric property of the column family, zero before the first write. */
  long property(String name) {
    ColumnFamilyHandle existing = family;
    try {
      return existing == null ? 0 : engine.database.getLongProperty(existing, name);
    } catch (RocksDBException e) {
      throw StorageErrors.reading(e, engine.directory);
    }
  }

  void drop() {
    family = null;
    engine.dropFamily(familyName());
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

  RecordDecoder decoder(TableMetadata metadata, boolean strict) {
    return new RecordDecoder(metadata.comparator, view(metadata), keepsClustering, strict);
  }
}
