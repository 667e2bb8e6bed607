/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The tables that may have temporary data files of Cassandra, made from what is here, and by table
 * the names of the unfinished files that were there before, which are not ours. Kept in the {@link
 * Catalog}. Thread-safe.
 */
public final class TemporaryTables {
  private final Catalog catalog;
  private final Map<String, Set<String>> tables;

  TemporaryTables(Catalog catalog) {
    this.catalog = catalog;
    tables = new HashMap<>(catalog.temporaryFiles());
  }

  /** The names that were there before; null if a table has no temporary files. */
  public synchronized Set<String> others(String table) {
    return tables.get(table);
  }

  /** Notes, on the disk, that a table may have some from now on. */
  public synchronized void add(String table, Set<String> others) {
    catalog.setTemporaryFiles(table, others);
    tables.put(table, others);
  }

  /** Notes, on the disk, that a table has none any more; may be done again if that fails. */
  public synchronized void remove(String table) {
    if (tables.containsKey(table)) {
      catalog.removeTemporaryFiles(table);
      tables.remove(table);
    }
  }

  /** All of them, as {@code keyspace/table/id}. */
  public synchronized Set<String> all() {
    return Set.copyOf(tables.keySet());
  }

  synchronized boolean areGone() {
    return tables.isEmpty();
  }
}
