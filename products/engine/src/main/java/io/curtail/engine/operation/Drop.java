/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import io.curtail.engine.store.Database;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What goes with tables that are dropped: their rows are gone at one step, then their space. May be
 * done again until it succeeds. One thread.
 */
final class Drop {
  final Set<String> tables;

  private final Database database;
  private final List<TableStore> stores = new ArrayList<>();
  private final List<FamilyName> others = new ArrayList<>();

  Drop(Database database, Set<String> tables) {
    this.database = database;
    this.tables = tables;
  }

  /** Adds a table's rows: what it writes to, if anything, and what is left of before. */
  void add(String table, TableStore current) {
    if (current != null) {
      stores.add(current);
    }
    for (FamilyName live : database.generations.live(table)) {
      if (current == null || live.generation != current.generation) {
        others.add(live);
      }
    }
  }

  /** Adds the rows of one generation. */
  void add(TableStore gone) {
    stores.add(gone);
  }

  /** The rows of a table that go, by generation. */
  List<FamilyName> names(String table) {
    List<FamilyName> names = new ArrayList<>(others);
    stores.forEach(store -> names.add(store.name()));
    names.removeIf(name -> !name.table.equals(table));
    return names;
  }

  /**
   * Does it.
   *
   * @throws org.apache.cassandra.io.FSError if RocksDB cannot write it down, as on a full disk
   */
  void run() {
    TableStore.kill(stores);
    stores.forEach(TableStore::drop);
    others.forEach(other -> database.dropFamily(other.toString()));
  }
}
