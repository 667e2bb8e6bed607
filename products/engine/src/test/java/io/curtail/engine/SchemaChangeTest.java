/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.testnode.EmbeddedNode;
import java.util.List;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.index.sasi.SASIIndex;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformation;
import org.apache.cassandra.service.ClientState;
import org.junit.jupiter.api.Test;

/** What becomes of rows when their table changes. */
class SchemaChangeTest {
  private static final String SASI = SASIIndex.class.getName();

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_keep_every_row_when_a_table_moves_out_and_back() {
    Twins twins = wide();
    for (String memtable : List.of("default", "rocksdb", "default", "rocksdb")) {
      twins.moveRocksTo(memtable);
      twins
          .run(
              "INSERT INTO # (p, c, v) VALUES (1, 100, 1)",
              "DELETE FROM # WHERE p = 2 AND c > 3 AND c < 6",
              "UPDATE # SET v = 77 WHERE p = 1 AND c = 2")
          .same("SELECT * FROM #", "SELECT * FROM # WHERE p = 2 ORDER BY c DESC");
    }
  }

  @Test
  void should_index_rows_when_the_index_comes_after_them() {
    Twins twins = wide();
    twins.index("v", "v");
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    twins
        .same("SELECT * FROM # WHERE v = 3")
        .run(
            "UPDATE # SET v = 4 WHERE p = 1 AND c = 3",
            "DELETE FROM # WHERE p = 2 AND c = 3",
            "DELETE FROM # WHERE p = 0",
            "INSERT INTO # (p, c, v) VALUES (9, 9, 3)")
        .same("SELECT * FROM # WHERE v = 3", "SELECT * FROM # WHERE v = 4");
  }

  @Test
  void should_keep_the_index_when_its_table_moved_out_and_was_flushed() {
    Twins twins = wide();
    twins.index("v", "v");
    for (String memtable : List.of("default", "rocksdb", "default")) {
      twins.moveRocksTo(memtable);
      twins.run("INSERT INTO # (p, c, v) VALUES (9, 9, 3)", "DELETE FROM # WHERE p = 1 AND c = 3");
      twins.rocksStore().forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
      twins.same("SELECT * FROM # WHERE v = 3");
      twins.run("DELETE FROM # WHERE p = 9", "INSERT INTO # (p, c, v) VALUES (1, 3, 3)");
      twins.same("SELECT * FROM # WHERE v = 3");
    }
  }

  @Test
  void should_keep_the_index_of_what_was_written_while_its_table_was_elsewhere() {
    Twins twins = new Twins("CREATE TABLE # (p int, c int, v int, PRIMARY KEY (p, c))");
    twins.index("v", "v");
    twins.moveRocksTo("default");
    twins.run("UPDATE # SET v = 3 WHERE p = 1 AND c = 1").same("SELECT * FROM # WHERE v = 3");
    twins.moveRocksTo("rocksdb");
    twins.same("SELECT * FROM # WHERE v = 3");
    twins.run("INSERT INTO # (p, c) VALUES (1, 2)").same("SELECT * FROM # WHERE v = 3");
  }

  @Test
  void should_fill_a_view_when_it_comes_after_the_rows() {
    Twins twins = wide();
    for (String table : List.of(twins.stock, twins.rocks)) {
      node.cql(
          "CREATE MATERIALIZED VIEW "
              + table
              + "_view AS SELECT p, c, v FROM "
              + table
              + " WHERE v IS NOT NULL AND p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (v, p, c)"
              + (table.equals(twins.rocks) ? " WITH memtable = 'rocksdb'" : ""));
    }
    for (String table : List.of(twins.rocks, twins.stock)) {
      await(() -> node.rows("SELECT * FROM " + table + "_view").size() == 30);
    }
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    twins
        .run("UPDATE # SET v = 50 WHERE p = 1 AND c = 1", "DELETE FROM # WHERE p = 2 AND c = 2")
        .same("SELECT * FROM #_view WHERE v = 50", "SELECT * FROM #_view WHERE v = 2");
  }

  @Test
  void should_refuse_an_index_and_move_nothing_when_it_would_miss_rows_after_a_restart() {
    Twins twins = wide();
    DatabaseDescriptor.setSASIIndexesEnabled(true); // its default refuses them before we do
    for (String index :
        List.of(
            "INDEX refused ON " + twins.rocks + " (v) USING 'sai'",
            "CUSTOM INDEX refused ON " + twins.rocks + " (v) USING '" + SASI + "'")) {
      assertThatThrownBy(() -> node.cql("CREATE " + index))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("[refused]")
          .hasMessageContaining("legacy_local_table");
    }
    assertThat(twins.rocksStore().metadata().indexes).isEmpty();
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    twins.same("SELECT * FROM #");
  }

  @Test
  void should_refuse_a_move_in_and_keep_the_index_when_the_table_has_such_an_index() {
    Twins twins = wide();
    node.cql("CREATE INDEX kept ON " + twins.stock + " (v) USING 'sai'");
    ColumnFamilyStore store = store(twins.stock);
    await(() -> store.getBuiltIndexes().contains("kept"));
    assertThatThrownBy(() -> node.cql("ALTER TABLE " + twins.stock + " WITH memtable = 'rocksdb'"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("[kept]");
    assertThat(store.getTracker().getView().getCurrentMemtable())
        .isNotInstanceOf(RocksMemtable.class);
    assertThat(node.rows("SELECT p, c FROM " + twins.stock + " WHERE v = 3")).hasSize(3);
  }

  @Test
  void should_drop_an_index_and_move_nothing_when_it_came_from_a_node_that_refuses_none() {
    Twins twins = wide();
    CQLStatement statement =
        QueryProcessor.parseStatement(
            "CREATE INDEX dropped ON " + twins.rocks + " (v) USING 'sai'",
            ClientState.forInternalCalls());
    ((RefusingSchema) Schema.instance.updateHandler)
        .applyUnchecked((SchemaTransformation) statement);
    ColumnFamilyStore store = twins.rocksStore();
    await(() -> store.metadata().indexes.isEmpty());
    assertThat(store.getLiveSSTables()).isEmpty();
    twins.same("SELECT * FROM #");
  }

  @Test
  void should_refuse_another_field_of_a_type_when_a_legacy_index_orders_by_it() {
    node.cql("CREATE TYPE twin.spot (x int)");
    node.cql(
        "CREATE TABLE twin.placed (k int, c frozen<spot>, v frozen<spot>, l list<frozen<spot>>,"
            + " w int, PRIMARY KEY (k, c)) WITH memtable = 'rocksdb'");
    for (String column : List.of("v", "l", "w")) {
      String index = "placed_" + column;
      node.cql(
          String.format(
              "CREATE INDEX %s ON twin.placed (%s) USING 'legacy_local_table'", index, column));
      await(() -> store("twin.placed").getBuiltIndexes().contains(index));
      assertThatThrownBy(() -> node.cql("ALTER TYPE twin.spot ADD y int"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("[" + index + "]")
          .hasMessageContaining("DROP INDEX");
      node.cql("DROP INDEX twin." + index);
    }
    node.cql("CREATE INDEX placed_v ON twin.placed (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(store("twin.placed"));
    node.cql("ALTER TYPE twin.spot RENAME x TO z");
    node.cql("DROP INDEX twin.placed_v");
    node.cql("ALTER TYPE twin.spot ADD y int");
    node.cql("CREATE INDEX placed_v ON twin.placed (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(store("twin.placed"));
    node.cql("INSERT INTO twin.placed (k, c, v) VALUES (1, {z: 1, y: 2}, {z: 3, y: 4})");
    assertThat(node.rows("SELECT k FROM twin.placed WHERE v = {z: 3, y: 4}"))
        .containsExactly("k=1");
  }

  private ColumnFamilyStore store(String table) {
    return node.store("twin", table.substring("twin.".length()));
  }

  private static Twins wide() {
    Twins twins =
        new Twins("CREATE TABLE # (p int, c int, v int, s text STATIC, PRIMARY KEY (p, c))");
    for (int p = 0; p < 3; p++) {
      for (int c = 0; c < 10; c++) {
        twins.run("INSERT INTO # (p, c, v, s) VALUES (" + p + ", " + c + ", " + c + ", 's')");
      }
    }
    return twins;
  }
}
