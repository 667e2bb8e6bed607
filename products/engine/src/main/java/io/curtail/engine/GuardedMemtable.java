/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.Map;
import org.apache.cassandra.db.memtable.Memtable;

/**
 * The {@code class_name} of the memtable configuration {@code default} on a node with the engine:
 * its memtables are those of another configuration, which its parameter {@code configuration}
 * names. What it adds is done at a start: rows of its tables that are still in RocksDB, since the
 * node stopped while they moved, are served and moved on.
 */
public final class GuardedMemtable {
  private GuardedMemtable() {}

  /** What Cassandra calls with the parameters of a configuration; takes those it knows. */
  public static Memtable.Factory factory(Map<String, String> parameters) {
    return GuardedMemtableFactory.of(parameters);
  }
}
