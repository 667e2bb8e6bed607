/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.EmbeddedNode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ColumnFamilyStore;

/**
 * The same table twice in the same node, on the stock memtable and on RocksDB. Statements name it
 * as {@code #}; what queries return must be the same.
 */
final class Twins {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final EmbeddedNode node = TestNode.start();
  private final String name = "t" + COUNT.incrementAndGet();
  final String rocksName = name + "_rocks";
  final String stock = "twin." + name + "_stock";
  final String rocks = "twin." + rocksName;

  /** Creates both tables from {@code CREATE TABLE # (...)}, with no options yet. */
  Twins(String create) {
    this(create, "");
  }

  /**
   * @param options more options, such as {@code CLUSTERING ORDER BY (c DESC)}
   */
  Twins(String create, String options) {
    String more = options.isEmpty() ? "" : " AND " + options;
    node.cql(create.replace("#", stock) + " WITH memtable = 'default'" + more);
    node.cql(create.replace("#", rocks) + " WITH memtable = 'rocksdb'" + more);
  }

  /** Of the table on RocksDB. */
  ColumnFamilyStore rocksStore() {
    return node.store("twin", rocksName);
  }

  /** Alters the table on RocksDB to another memtable, or back. */
  void moveRocksTo(String memtable) {
    node.cql("ALTER TABLE " + rocks + " WITH memtable = '" + memtable + "'");
  }

  /** Makes a legacy index of both, and waits until they are built: {@code TABLE_name}. */
  void index(String name, String target) {
    for (String table : List.of(stock, rocks)) {
      String plain = table.substring("twin.".length());
      String index = plain + "_" + name;
      node.cql(
          String.format(
              "CREATE INDEX %s ON %s (%s) USING 'legacy_local_table'", index, table, target));
      await(() -> node.store("twin", plain).getBuiltIndexes().contains(index));
    }
  }

  Twins run(String... statements) {
    for (String statement : statements) {
      node.cql(statement.replace("#", stock));
      node.cql(statement.replace("#", rocks));
    }
    return this;
  }

  /** Compares what queries return, and says that they return something. */
  Twins same(String... queries) {
    for (String query : queries) {
      List<String> expected = node.rows(query.replace("#", stock));
      assertThat(rocks(query)).as(query).isEqualTo(expected).isNotEmpty();
      again(query, expected);
    }
    return this;
  }

  /** As {@link #same}, where the answer may be, or must be, empty. */
  Twins sameOrEmpty(String... queries) {
    for (String query : queries) {
      List<String> expected = node.rows(query.replace("#", stock));
      assertThat(rocks(query)).as(query).isEqualTo(expected);
      again(query, expected);
    }
    return this;
  }

  /** Of what is kept now. */
  private void again(String query, List<String> expected) {
    if (query.startsWith("SELECT")) { // others may not be done twice
      assertThat(rocks(query)).as("%s again", query).isEqualTo(expected);
    }
  }

  private List<String> rocks(String query) {
    return node.rows(query.replace("#", rocks));
  }
}
