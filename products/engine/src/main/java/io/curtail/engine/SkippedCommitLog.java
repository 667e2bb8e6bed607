/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.ViewMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether writes to tables in RocksDB may leave out Cassandra's commit log: until, just before, the
 * first of them comes from another memtable or goes to one; then no more until the node is started
 * again.
 *
 * <p>Cassandra asks the definition of the table that a statement was prepared with, which may be
 * old for as long as the node runs, or newer than the memtable that takes the write. So what left
 * the log out could end in a memtable that rests on it. What left it out under this rule began
 * before the change was announced, thus before the barrier of the change, and goes to the memtable
 * in RocksDB. For good, so that a deletion is in the log with the older write that a replay brings.
 *
 * <p>Thread-safe.
 */
final class SkippedCommitLog implements SchemaChangeListener {
  private static final Logger logger = LoggerFactory.getLogger(SkippedCommitLog.class);

  private volatile boolean isAllowed;

  /** Begins; Cassandra's schema is not there yet only if it was told to keep itself in RocksDB. */
  void listen() {
    if (Schema.instance != null) {
      Schema.instance.registerListener(this);
      isAllowed = true;
    }
  }

  boolean isAllowed() {
    return isAllowed;
  }

  /** Comes before anybody sees the new definition, from whichever node it is. */
  @Override
  public void onPreAlterTable(TableMetadata before, TableMetadata after) {
    if (isAllowed && changes(before.params.memtable, after.params.memtable)) {
      logger.info(
          "{} changes its memtable: writes to tables in RocksDB are in Cassandra's commit log as"
              + " well until this node is started again",
          after);
      isAllowed = false;
    }
  }

  @Override
  public void onPreAlterView(ViewMetadata before, ViewMetadata after) {
    onPreAlterTable(before.metadata, after.metadata);
  }

  private static boolean changes(MemtableParams before, MemtableParams after) {
    return !before.factory().equals(after.factory()) && (isInRocks(before) || isInRocks(after));
  }

  private static boolean isInRocks(MemtableParams memtable) {
    return memtable.factory() instanceof RocksMemtableFactory;
  }
}
