/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of kept partitions share memory, one after the other; what they have read does not. */
class KeptRowsTest {
  private final EmbeddedNode node = TestNode.start();
  private ColumnFamilyStore table;
  private TableStore store;
  private PartitionReader reader;
  private TableMetadata metadata;

  @BeforeEach
  void create() {
    node.cql("DROP TABLE IF EXISTS twin.sharing");
    node.cql(
        "CREATE TABLE twin.sharing (p int, c decimal, d text, v text, e set<text>, s text static,"
            + " PRIMARY KEY (p, c, d)) WITH memtable = 'rocksdb'");
    for (int p = 1; p <= 3; p++) {
      node.cql("UPDATE twin.sharing SET s = '" + text(p, 's') + "' WHERE p = " + p);
      for (int c = 0; c < 4; c++) {
        node.cql(
            String.format(
                "INSERT INTO twin.sharing (p, c, d, v, e) VALUES (%d, %d.5, '%s', '%s', {'%s'})",
                p, c, text(p, 'd'), text(p, 'v'), text(p, 'e')));
      }
    }
    table = node.store("twin", "sharing");
    store = TestNode.store(table);
    metadata = table.metadata();
    reader = new PartitionReader(store, metadata, ColumnFilter.all(metadata));
  }

  private static String text(int partition, char of) {
    return (of + "" + partition).repeat(50);
  }

  private UnfilteredRowIterator read(int partition) {
    return reader.read(table.decorateKey(ByteBufferUtil.bytes(partition)), Slices.ALL, false);
  }

  private List<Unfiltered> all(int partition) {
    List<Unfiltered> rows = new ArrayList<>();
    try (UnfilteredRowIterator read = read(partition)) {
      rows.add(read.staticRow());
      read.forEachRemaining(rows::add);
    }
    return rows;
  }

  private String shown(List<Unfiltered> rows) {
    StringBuilder shown = new StringBuilder();
    rows.forEach(row -> shown.append(row.toString(metadata, true)).append('\n'));
    return shown.toString();
  }

  /** As RocksDB has it, until it is kept. */
  private String keep(int partition) {
    String rows = shown(all(partition));
    long hits = store.database.recordCache.hits();
    for (int i = 0; i < 1_000 && store.database.recordCache.hits() == hits; i++) {
      rows = shown(all(partition));
    }
    assertThat(store.database.recordCache.hits()).isGreaterThan(hits);
    assertThat(rows).contains(text(partition, 'v'), text(partition, 's'));
    return rows;
  }

  @Test
  void should_not_change_rows_that_were_read_when_others_are() {
    String first = keep(1);
    keep(2);
    List<Unfiltered> rows = new ArrayList<>();
    UnfilteredRowIterator left = read(1); // as by a LIMIT
    rows.add(left.staticRow());
    rows.add(left.next());
    left.close();
    left.close();
    String before = shown(rows);
    assertThat(first).startsWith(before);
    assertThat(shown(all(2))).contains(text(2, 'v'));
    assertThat(shown(rows)).isEqualTo(before);
    assertThat(left.hasNext()).isFalse();
  }

  @Test
  void should_answer_two_at_a_time() {
    String first = keep(1);
    String second = keep(2);
    String third = keep(3);
    List<Unfiltered> ofFirst = new ArrayList<>();
    List<Unfiltered> ofSecond = new ArrayList<>();
    try (UnfilteredRowIterator one = read(1);
        UnfilteredRowIterator two = read(2)) {
      ofFirst.add(one.staticRow());
      ofSecond.add(two.staticRow());
      while (one.hasNext()) {
        ofFirst.add(one.next());
        assertThat(shown(all(3))).isEqualTo(third);
        ofSecond.add(two.next());
      }
    }
    assertThat(shown(ofFirst)).isEqualTo(first);
    assertThat(shown(ofSecond)).isEqualTo(second);
  }
}
