/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.table.GuardedSkipListMemtable;
import io.curtail.engine.table.GuardedTrieMemtable;
import io.curtail.engine.table.MoveGuard;
import io.curtail.engine.table.StoredPartition;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.OpenTrieMemtable;
import org.apache.cassandra.db.memtable.SkipListMemtable;
import org.apache.cassandra.schema.TableMetadataRef;

/**
 * A factory whose tables are, to Cassandra, those of another memtable configuration of its own.
 * Thread-safe.
 */
abstract class StockMemtableFactory implements StockMetrics {
  private volatile Memtable.Factory stock;

  /** The other configuration's; not before all of them are read. */
  abstract Memtable.Factory findStock();

  /**
   * The other configuration's. Kept: each write asks for it, and Cassandra looks it up under a
   * lock, under which it also opens RocksDB.
   */
  @Override
  public final Memtable.Factory stock() {
    Memtable.Factory known = stock;
    if (known == null) {
      known = findStock();
      stock = known;
    }
    return known;
  }

  /** One of the other configuration's, with a {@link MoveGuard} if they are of a kind we know. */
  final Memtable createGuarded(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Memtable.Owner owner) {
    Memtable.Factory factory = stock();
    MoveGuard guard = guard(metadata, owner);
    if (OpenTrieMemtable.isMadeBy(factory)) {
      return new GuardedTrieMemtable(commitLogLowerBound, metadata, owner, factory, guard);
    }
    return factory == SkipListMemtable.FACTORY
        ? new GuardedSkipListMemtable(commitLogLowerBound, metadata, owner, guard)
        : factory.create(commitLogLowerBound, metadata, owner);
  }

  /** Of a memtable that Cassandra makes now. */
  static MoveGuard guard(TableMetadataRef metadata, Memtable.Owner owner) {
    return new MoveGuard(metadata, RestOfTable.hasRowsInRocks(owner));
  }

  private boolean isGuarded() {
    return OpenTrieMemtable.isMadeBy(stock()) || stock() == SkipListMemtable.FACTORY;
  }

  @Override
  public boolean writesShouldSkipCommitLog() {
    return stock().writesShouldSkipCommitLog();
  }

  @Override
  public boolean writesAreDurable() {
    return stock().writesAreDurable();
  }

  @Override
  public boolean streamToMemtable() {
    return stock().streamToMemtable();
  }

  /**
   * Whether Cassandra asks the memtable for what a stream, a repair or a snapshot lacks. It does
   * not say of which table, and whether there is something depends on that: {@link MoveGuard}
   * knows. So does the memtable of a table that was altered and still is in RocksDB.
   */
  @Override
  public boolean streamFromMemtable() {
    AskedTables.check();
    if (isGuarded()) {
      return true;
    }
    for (ColumnFamilyStore table : ColumnFamilyStore.all()) {
      if (table.metadata().params.memtable.factory().equals(this)
          && RestOfTable.hasRowsInRocks(table)) {
        throw StoredPartition.hasMoved(table.keyspace.getName() + "." + table.name);
      }
    }
    return stock().streamFromMemtable();
  }
}
