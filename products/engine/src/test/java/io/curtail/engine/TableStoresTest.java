/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.operation.TableStores;
import io.curtail.engine.store.Catalog;
import io.curtail.engine.store.Database;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.store.Generations;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;

/** Which rows of a table a new memtable of it takes over. */
class TableStoresTest {
  private final EmbeddedNode node = TestNode.start();

  /** Queries read them by the memtable whose flush failed; who took them would free them. */
  @Test
  void should_leave_rows_alone_whose_memtable_could_not_be_flushed() {
    node.cql("CREATE TABLE twin.unflushed (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.unflushed (k) VALUES (1)");
    TableStores stores = Engine.running().stores;
    TableStore unflushed = TestNode.store(node.store("twin", "unflushed"));
    TableMetadata metadata = node.store("twin", "unflushed").metadata();
    try {
      TableStore next = stores.open(metadata);
      assertThat(next.generation).isEqualTo(unflushed.generation + 1);
      stores.forget(memtableOf(next));
      assertThat(stores.hasUnopened(metadata)).isFalse();

      TableStore afterwards = stores.open(metadata);
      assertThat(afterwards.generation).isGreaterThan(unflushed.generation);
      assertThat(Engine.running().database.generations.live(FamilyName.table(metadata)))
          .containsExactly(unflushed.name());
      assertThat(node.cql("SELECT k FROM twin.unflushed")).hasSize(1);
      stores.forget(memtableOf(afterwards));
    } finally {
      node.cql("DROP TABLE twin.unflushed");
    }
  }

  /** As on a full disk; {@code engine chaos} has a real one. */
  @Test
  void should_drop_a_table_later_that_the_catalog_could_not_drop_with_the_schema()
      throws ReflectiveOperationException {
    node.cql("CREATE TABLE twin.undropped (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("CREATE INDEX undropped_v ON twin.undropped (v) USING 'legacy_local_table'");
    node.cql("INSERT INTO twin.undropped (k, v) VALUES (1, 2)");
    FamilyName rows = TestNode.store(node.store("twin", "undropped")).name();
    Database database = Engine.running().database;
    Object family = familyOfCatalog(null);
    try {
      node.cql("DROP TABLE twin.undropped");
      assertThat(database.generations.live(rows.table)).containsExactly(rows);
      assertThat(Engine.running().stores.unknown()).doesNotContain(rows.table);
      assertThatThrownBy(() -> node.cql("SELECT k FROM twin.undropped"))
          .hasMessageContaining("does not exist");
    } finally {
      familyOfCatalog(family);
    }
    node.cql("CREATE TABLE twin.undropped (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.undropped (k, v) VALUES (3, 4)");
    await(() -> !database.families.names().contains(rows.toString()));
    assertThat(database.generations.tables()).doesNotContain(rows.table);
    assertThat(node.rows("SELECT k FROM twin.undropped")).containsExactly("k=3");
    node.cql("DROP TABLE twin.undropped");
  }

  /** A read holds the end of the move up until the catalog fails. */
  @Test
  void should_drop_rows_later_that_the_catalog_could_not_drop_when_they_had_moved()
      throws ReflectiveOperationException {
    node.cql("CREATE TABLE twin.undropped_moved (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.undropped_moved (k) VALUES (1)");
    ColumnFamilyStore table = node.store("twin", "undropped_moved");
    TableStore store = TestNode.store(table);
    Database database = Engine.running().database;
    Object family =
        moveUntilTheCatalogFails(
            "undropped_moved",
            table.readOrdering.start(),
            () -> table.getLiveSSTables().size() == 1);
    try {
      await(() -> stores().noneMatch(each -> each == store));
    } finally {
      familyOfCatalog(family);
    }
    await(() -> !database.families.names().contains(store.name().toString()));
    assertThat(database.generations.tables()).doesNotContain(store.table);
    assertThat(node.rows("SELECT k FROM twin.undropped_moved")).containsExactly("k=1");
    node.cql("DROP TABLE twin.undropped_moved");
  }

  /** A write holds the flush up until the catalog fails, so that files come when it does. */
  @Test
  void should_end_a_move_later_that_the_catalog_could_not_end_with_the_flush()
      throws ReflectiveOperationException {
    node.cql("CREATE TABLE twin.unended (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.unended (k) VALUES (1)");
    ColumnFamilyStore table = node.store("twin", "unended");
    TableStore store = TestNode.store(table);
    Database database = Engine.running().database;
    Object family =
        moveUntilTheCatalogFails(
            "unended",
            Keyspace.writeOrder.start(),
            () -> store.state() == GenerationState.MOVING_OUT);
    try {
      await(() -> table.getLiveSSTables().size() == 1);
      await(() -> stores().noneMatch(each -> each == store));
      Engine.running().watch.look();
      assertThat(store.state()).isEqualTo(GenerationState.MOVING_OUT);
      assertThat(table.getNeverPurgeTombstones()).as("a start would serve the rows again").isTrue();
      assertThatThrownBy(() -> node.cql("TRUNCATE twin.unended")).isNotNull();
      assertThat(node.rows("SELECT k FROM twin.unended")).containsExactly("k=1");
    } finally {
      familyOfCatalog(family);
    }
    await(() -> !database.families.names().contains(store.name().toString()));
    await(() -> !table.getNeverPurgeTombstones());
    assertThat(database.generations.tables()).doesNotContain(store.table);
    assertThat(node.rows("SELECT k FROM twin.unended")).containsExactly("k=1");
    node.cql("TRUNCATE twin.unended");
    assertThat(node.rows("SELECT k FROM twin.unended")).isEmpty();
    node.cql("DROP TABLE twin.unended");
  }

  /**
   * Alters a table and returns what makes the catalog work again.
   *
   * @param held keeps the move from going on until the catalog fails
   */
  private Object moveUntilTheCatalogFails(String table, OpOrder.Group held, BooleanSupplier isThere)
      throws ReflectiveOperationException {
    try (held) {
      node.cql("ALTER TABLE twin." + table + " WITH memtable = 'default'");
      await(isThere::getAsBoolean);
      return familyOfCatalog(null);
    }
  }

  private static Stream<TableStore> stores() {
    return Engine.running().stores.memtables().stream().map(StoredTable::store);
  }

  /** Without it nothing can be written to the catalog; returns what it was. */
  static Object familyOfCatalog(Object changed) throws ReflectiveOperationException {
    Field catalog = Generations.class.getDeclaredField("catalog");
    Field family = Catalog.class.getDeclaredField("family");
    catalog.setAccessible(true);
    family.setAccessible(true);
    Object known = catalog.get(Engine.running().database.generations);
    Object before = family.get(known);
    family.set(known, changed);
    return before;
  }

  private static StoredTable memtableOf(TableStore store) {
    return (StoredTable)
        Proxy.newProxyInstance(
            StoredTable.class.getClassLoader(),
            new Class<?>[] {StoredTable.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "store":
                  return store;
                case "equals":
                  return proxy == arguments[0];
                default:
                  throw new UnsupportedOperationException(method.getName());
              }
            });
  }
}
