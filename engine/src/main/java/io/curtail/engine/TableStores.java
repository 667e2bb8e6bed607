/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.schema.TableMetadata;

/** Which generation of each table is current. Thread-safe. */
final class TableStores {
  private final Engine engine;
  private final Map<String, TableStore> current = new HashMap<>();

  TableStores(Engine engine) {
    this.engine = engine;
  }

  /**
   * The store of a memtable that Cassandra makes: the one that was current when the node stopped,
   * or a new generation if the table has a memtable already.
   */
  synchronized TableStore open(TableMetadata metadata) {
    String table = TableStore.table(metadata);
    TableStore previous = current.get(table);
    int generation =
        previous != null
            ? previous.generation + 1
            : Math.max(newest(table), engine.catalog.deadGeneration(table) + 1);
    TableStore store = new TableStore(engine, metadata, generation);
    current.put(table, store);
    return store;
  }

  /** Drops a generation that Cassandra has no more use for. */
  synchronized void close(TableStore store) {
    store.drop();
  }

  private int newest(String table) {
    int newest = 0;
    for (String family : engine.families()) {
      if (family.startsWith(table + "/")) {
        newest = Math.max(newest, Integer.parseInt(family.substring(table.length() + 1)));
      }
    }
    return newest;
  }
}
