/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.TableMetadataRef;

/**
 * A factory whose tables are, to Cassandra, those of another memtable configuration of its own.
 * Thread-safe.
 */
abstract class StockMemtableFactory implements Memtable.Factory {
  private volatile Memtable.Factory stock;

  /** The other configuration's; not before all of them are read. */
  abstract Memtable.Factory findStock();

  /**
   * The other configuration's. Kept: each write asks for it, and Cassandra looks it up under a
   * lock, under which it also opens RocksDB.
   */
  final Memtable.Factory stock() {
    Memtable.Factory known = stock;
    if (known == null) {
      known = findStock();
      stock = known;
    }
    return known;
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

  @Override
  public boolean streamFromMemtable() {
    return stock().streamFromMemtable();
  }

  @Override
  public TableMetrics.ReleasableMetric createMemtableMetrics(TableMetadataRef metadata) {
    return stock().createMemtableMetrics(metadata);
  }
}
