/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import io.curtail.engine.codec.ColumnDictionary;
import io.curtail.engine.table.PartitionReader;
import io.curtail.engine.table.PartitionWriter;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

/** What is known of tables besides their records. */
class CatalogTest {
  private final EmbeddedNode node = TestNode.start();
  private final TableMetadata table =
      TableMetadata.builder("twin", "numbered")
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("k", Int32Type.instance)
          .addClusteringColumn("c", Int32Type.instance)
          .addRegularColumn("a", Int32Type.instance)
          .addRegularColumn("b", Int32Type.instance)
          .build();

  @Test
  void should_remember_most_of_what_was_ever_deleted() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    Catalog catalog = TestNode.store(node.store("twin", "load")).database.catalog;
    List<Garbage> remembered = new ArrayList<>();
    for (Garbage kind :
        List.of(Garbage.NONE, Garbage.IN_ROWS, Garbage.ANYWHERE, Garbage.IN_ROWS, Garbage.NONE)) {
      catalog.addGarbage("twin.forgetful", kind);
      remembered.add(catalog.garbage("twin.forgetful"));
    }
    assertThat(remembered)
        .containsExactly(
            Garbage.NONE, Garbage.IN_ROWS, Garbage.ANYWHERE, Garbage.ANYWHERE, Garbage.ANYWHERE);
    catalog.forgetGarbage("twin.forgetful");
    assertThat(catalog.garbage("twin.forgetful")).isEqualTo(Garbage.NONE);
  }

  @Test
  void should_take_a_step_with_all_generations_or_with_none() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    Database database = TestNode.store(node.store("twin", "load")).database;
    TableStore first = new TableStore(database, table, 7);
    TableStore second = new TableStore(database, table, 8);
    try {
      write(first, "a", 1);
      write(second, "a", 1);
      second.kill();
      assertThatThrownBy(
              () ->
                  database.generations.set(
                      List.of(first.name(), second.name()), GenerationState.MOVING_OUT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("DEAD");
      assertThat(written(database, first)).isEqualTo(GenerationState.SERVING);
      TableStore.kill(List.of(first, second));
      assertThat(first.state()).isEqualTo(GenerationState.DEAD);
      assertThat(written(database, first)).isEqualTo(GenerationState.DEAD);
    } finally {
      for (TableStore store : new TableStore[] {first, second}) {
        store.kill();
        store.drop();
      }
    }
  }

  /** As a start would read it. */
  private static GenerationState written(Database database, TableStore store) {
    return new Catalog(database, database.families.get(Families.DEFAULT).handle)
        .generations()
        .get(store.name().toString());
  }

  @Test
  void should_number_columns_once_when_two_generations_are_written_at_once() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.load (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    Database database = TestNode.store(node.store("twin", "load")).database;
    TableStore older = new TableStore(database, table, 0);
    TableStore newer = new TableStore(database, table, 1);
    try {
      write(newer, "b", 5);
      write(older, "a", 7);
      // As after a start.
      Catalog catalog = new Catalog(database, database.families.get(Families.DEFAULT).handle);
      ColumnDictionary columns = catalog.columns(newer.table);
      assertThat(read(new TableStore(database, table, newer.name(), columns), "b")).isEqualTo(5);
      assertThat(read(new TableStore(database, table, older.name(), columns), "a")).isEqualTo(7);
    } finally {
      for (TableStore store : new TableStore[] {older, newer}) {
        store.kill();
        store.drop();
      }
    }
  }

  private void write(TableStore store, String column, int value) {
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table, 1);
    update.timestamp(1).row(1).add(column, value);
    PartitionWriter.apply(store, () -> table, update.build(), UpdateTransaction.NO_OP);
  }

  private int read(TableStore store, String column) {
    PartitionReader reader = new PartitionReader(store, table, ColumnFilter.all(table));
    try (UnfilteredRowIterator rows =
        reader.read(
            Murmur3Partitioner.instance.decorateKey(ByteBufferUtil.bytes(1)), Slices.ALL, false)) {
      ColumnMetadata metadata = table.getColumn(ByteBufferUtil.bytes(column));
      return ByteBufferUtil.toInt(((Row) rows.next()).getCell(metadata).buffer());
    }
  }
}
