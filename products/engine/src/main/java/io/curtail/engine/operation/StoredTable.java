/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.table.TableStore;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;

/** A table or index whose memtable keeps its rows in RocksDB, as operations see it. Thread-safe. */
public interface StoredTable extends Memtable {
  /** What it has in RocksDB. */
  TableStore store();

  /** As {@code keyspace.table}. */
  String name();

  /** How many data files of Cassandra the table has beside what is here. */
  int dataFiles();

  /** What those take of the disk, in bytes. */
  long dataFileBytes();

  /** Adds bytes to what the table and the node take of the disk. */
  void addToDiskUse(long bytes);

  /**
   * Whether it was altered to another memtable and its rows are still here, not on their way yet:
   * see {@link MoveOut}.
   */
  boolean isLeaving();

  /** Whether Cassandra empties it, and has not discarded the data files of before yet. */
  boolean isBeingEmptied();

  /** Whether tombstones past their grace may go: nothing older can be elsewhere. */
  boolean mayPurge();

  /**
   * Adds what a data file of the table says. Indexes and views know it already. It is durable once
   * the log is synced.
   */
  void absorb(PartitionUpdate update);
}
