/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

import io.curtail.engine.codec.ColumnDictionary;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.table.PartitionReader;
import io.curtail.engine.table.PartitionWriter;
import io.curtail.engine.table.TableStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What a {@link Shadow} has in RocksDB: a column family that no table owns, under the columns that
 * the table had when it began. It is written to and read as that of a table; no generation is noted
 * for it, so it is dropped when the engine is next opened. Thread-safe.
 */
final class ShadowStore {
  final TableMetadata metadata;
  final TableStore store;

  private final ColumnFilter everything;

  /**
   * Makes an empty one.
   *
   * @throws org.apache.cassandra.io.FSError if RocksDB fails
   */
  ShadowStore(Database database, TableMetadata metadata) {
    this.metadata = metadata;
    everything = ColumnFilter.all(metadata);
    FamilyName name = FamilyName.ofShadow(metadata);
    database.families.create(name.toString());
    // Its columns are known for as long as it lives, which a start of the node ends.
    store = new TableStore(database, metadata, name, new ColumnDictionary((id, column) -> {}));
  }

  /** While it is open, so is the column family; null if that is gone. The caller closes it. */
  Family.Use use() {
    return store.use();
  }

  /** Whether it was dropped. */
  boolean isGone() {
    return store.family() == null;
  }

  /** Writes as a table in RocksDB does; under a {@linkplain #use use}. */
  void write(PartitionUpdate update) {
    store.announce(update);
    PartitionWriter.apply(store, () -> metadata, update, UpdateTransaction.NO_OP);
  }

  /** Reads a whole partition from RocksDB, past what is kept; under a {@linkplain #use use}. */
  UnfilteredRowIterator read(DecoratedKey key) {
    UnfilteredRowIterator rows =
        PartitionReader.through(store, metadata, everything).read(key, Slices.ALL, false);
    return rows == null ? EmptyIterators.unfilteredRow(metadata, key, false) : rows;
  }

  /** Gives up what it has; those who use it may go on. */
  void drop() {
    store.drop();
    store.database.catalog.forgetGarbage(store.table);
  }
}
