/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.die;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Nodes that are killed while they truncate a table, mostly one without snapshots that has data
 * files beside RocksDB, where its deletions are.
 */
class TruncationKillTest {
  /** What Cassandra tells, a table and its keyspace each; nothing of k is in another log. */
  private static final Map<String, String> TABLES =
      new TreeMap<>(
          Map.of(
              "k.renewed", "MemtableRenewedNotification",
              "k.truncated", "TruncationNotification",
              "k.changed", "SSTableListChangedNotification",
              "durable.truncated", "TruncationNotification"));

  private final NodeSettings settings =
      TestNode.settings(TestNode.newDirectory("truncated")).yaml("auto_snapshot", "false");

  /** In each life but the last the node dies of one; each but the first looks at the one before. */
  @Test
  void should_raise_no_row_and_keep_what_is_written_meanwhile() throws IOException {
    String before = null;
    for (String table : TABLES.keySet()) {
      try (NodeProcess node = NodeProcess.start(settings)) {
        if (before == null) {
          node.cql(KEYSPACE + " AND durable_writes = false");
          node.cql(KEYSPACE.replace(" k ", " durable "));
        } else {
          check(node, before);
        }
        truncateAndDie(node, table);
      }
      before = table;
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, before);
    }
  }

  /** Cassandra has a table flushed, then its views, and the rows of each are gone by itself. */
  @Test
  void should_empty_a_view_too_when_a_truncation_that_was_killed_before_it_is_repeated()
      throws IOException {
    NodeSettings viewed = TestNode.settings(TestNode.newDirectory("viewed"));
    try (NodeProcess node = NodeProcess.start(viewed)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
      node.cql(
          "CREATE MATERIALIZED VIEW k.by_v AS SELECT k, v FROM k.t WHERE k IS NOT NULL AND v IS NOT"
              + " NULL PRIMARY KEY (v, k) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO k.t (k, v) VALUES (1, 1)");
      assertThat(node.cql("SELECT k FROM k.by_v")).containsExactly("k=1");
      die(node, "truncateAndDie k t MemtableSwitchedNotification 4");
    }
    try (NodeProcess node = NodeProcess.start(viewed)) {
      assertThat(node.cql("SELECT k FROM k.t")).isEmpty();
      assertThat(node.cql("SELECT k FROM k.by_v")).contains("k=1");
      node.cql("TRUNCATE k.t");
      assertThat(node.cql("SELECT k FROM k.t")).isEmpty();
      assertThat(node.cql("SELECT k FROM k.by_v")).isEmpty();
    }
  }

  private static void truncateAndDie(NodeProcess node, String table) throws IOException {
    node.cql("CREATE TABLE " + table + " (k int PRIMARY KEY, v int) WITH memtable = 'default'");
    for (int k = 1; k <= 3; k++) {
      node.cql("INSERT INTO " + table + " (k, v) VALUES (" + k + ", 1)");
    }
    String name = table.replace('.', ' ');
    call(node, "flush " + name);
    node.cql("ALTER TABLE " + table + " WITH memtable = 'rocksdb'");
    assertThat(call(node, "dataFiles " + name)).containsExactly("1");
    node.cql("DELETE FROM " + table + " WHERE k = 1");
    node.cql("UPDATE " + table + " SET v = 2 WHERE k = 2");
    die(node, "truncateAndDie " + name + " " + TABLES.get(table) + " 4");
  }

  private static void check(NodeProcess node, String table) throws IOException {
    List<String> rows = node.cql("SELECT k, v FROM " + table);
    if (table.equals("k.changed")) {
      assertThat(rows).containsExactly("k=4, v=0");
    } else {
      assertThat(rows).as(table).containsExactlyInAnyOrder("k=2, v=2", "k=3, v=1", "k=4, v=0");
    }
    node.cql("TRUNCATE " + table);
    assertThat(node.cql("SELECT k, v FROM " + table)).isEmpty();
    assertThat(call(node, "dataFiles " + table.replace('.', ' '))).containsExactly("0");
  }
}
