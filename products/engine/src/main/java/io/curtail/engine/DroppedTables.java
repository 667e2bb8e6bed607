/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.operation.TableStores;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.ViewMetadata;

/**
 * Forgets tables and indexes that are not in the schema any more. Cassandra gives a table that it
 * drops a new memtable, which it never gives up; and an index whose table has another memtable by
 * now is dropped without a word to the engine. Thread-safe.
 */
final class DroppedTables implements SchemaChangeListener {
  private final TableStores stores;

  DroppedTables(TableStores stores) {
    this.stores = stores;
  }

  void listen() {
    if (Schema.instance != null) {
      Schema.instance.registerListener(this);
    }
  }

  @Override
  public void onDropTable(TableMetadata table, boolean dropData) {
    stores.dropAll(table.id);
  }

  @Override
  public void onDropView(ViewMetadata view, boolean dropData) {
    stores.dropAll(view.metadata.id);
  }

  @Override
  public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectsStatements) {
    if (!before.indexes.equals(after.indexes)) {
      stores.dropIndexesBut(after);
    }
  }
}
