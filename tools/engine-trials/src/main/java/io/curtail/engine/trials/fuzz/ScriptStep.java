/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

/**
 * One thing that a {@link Script} does.
 *
 * @param kind what
 * @param text the statement, with {@code #} for the table, {@code $n} for a timestamp and {@code
 *     0x~n} for a blob of n bytes; or what the kind asks for
 */
record ScriptStep(Kind kind, String text) {
  /** What a step does, and what its text is. */
  enum Kind {
    /** A change of the schema, made to both tables. */
    SCHEMA,
    /** A write to both tables. */
    WRITE,
    /** A query of both tables, whose answers must be the same. */
    QUERY,
    /** As a query, in pages of as many rows as the number before the first space. */
    PAGES,
    /** So many seconds pass. */
    PASS,
    /** Timestamps from now on are later than all before. */
    EPOCH,
    /** The memtable of the stock table goes to disk, and all data files become one. */
    COMPACT_STOCK,
    /** RocksDB's write buffers go to disk. */
    FLUSH,
    /** RocksDB merges all it has of the table. */
    COMPACT,
    /** What nobody can read any more is removed. */
    SWEEP,
    /** RocksDB takes in the data files that the table has of Cassandra, if it is there. */
    ABSORB,
    /** The table moves to the named memtable. */
    MOVE,
    /** The node is killed and started again, and a long time passes. */
    RESTART
  }

  static ScriptStep of(Kind kind) {
    return new ScriptStep(kind, "");
  }

  @Override
  public String toString() {
    return text.isEmpty() ? kind.name() : kind.name() + " " + text;
  }
}
