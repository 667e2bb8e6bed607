/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.die;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that move out of RocksDB and back, and nodes that die meanwhile. */
class MoveTest {
  /** Too many for the last round of a copy. */
  private static final int ROWS = 1_200;

  static final String TABLE =
      "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb' AND"
          + " gc_grace_seconds = 0";

  @ParameterizedTest
  @ValueSource(strings = {"8MiB", "0B"})
  void should_keep_every_row_and_raise_none_when_the_node_dies_while_a_table_moves_out(
      String atOnce) throws IOException {
    NodeSettings settings = synced("moving", atOnce);
    try (NodeProcess node = NodeProcess.start(settings)) {
      fill(node);
      node.cql("DELETE FROM k.t WHERE k = 8");
      die(node, atOnce.equals("0B") ? "alterAndDieCopying" : "alterAndDie", "k.t", "default");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS - 1);
      node.cql("DELETE FROM k.t WHERE k = 15");
      call(node, "fill", "k.t", Integer.toString(ROWS), Integer.toString(ROWS + 7));
      await(() -> call(node, "tablesInRocks").equals(List.of("")));
      check(node, ROWS + 5);
      die(node, "alterAndDie", "k.t", "rocksdb");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS + 5);
      assertThat(node.cql("SELECT k FROM k.t WHERE k IN (8, 15)")).isEmpty();
      call(node, "fill", "k.t", "8", "9");
      assertThat(call(node, "tablesInRocks")).containsExactly("k/t k/t.v");
      die(node, "alterAndDie", "k.t", "default");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      assertThat(call(node, "leaving")).containsExactly("");
      check(node, ROWS + 6);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS + 6);
    }
  }

  @Test
  void should_keep_every_row_and_raise_none_when_the_node_dies_while_a_copied_table_moves_out()
      throws IOException {
    NodeSettings settings = synced("copied", "8MiB");
    try (NodeProcess node = NodeProcess.start(settings)) {
      fill(node);
      assertThat(call(node, "copyOut", "k", "t")).hasSize(1);
      node.cql("DELETE FROM k.t WHERE k = 8");
      call(node, "fill", "k.t", Integer.toString(ROWS), Integer.toString(ROWS + 7));
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS + 6);
      call(node, "copyOut", "k", "t");
      node.cql("DELETE FROM k.t WHERE k = 15");
      die(node, "alterAndDie", "k.t", "default");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS + 5);
      await(() -> call(node, "tablesInRocks").equals(List.of("")));
      check(node, ROWS + 5);
      assertThat(node.cql("SELECT k FROM k.t WHERE k IN (8, 15)")).isEmpty();
    }
  }

  @Test
  void should_keep_the_first_entry_of_an_index_when_the_node_dies_while_its_table_is_copied()
      throws IOException {
    NodeSettings settings = slow("first_entry");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
      call(node, "fillUnindexed", "k.t", "100");
      die(node, "alterAndDieCopying", "k.t", "default");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(call(node, "tablesInRocks")).containsExactly("k/t");
      writeAndDie(node);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t WHERE v = 7")).containsExactly("k=1");
      assertThat(call(node, "tablesInRocks")).containsExactly("k/t k/t.v");
    }
  }

  @Test
  void should_keep_the_entries_of_an_index_that_is_older_than_the_table_is_in_rocksdb()
      throws IOException {
    NodeSettings settings = slow("older_index");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
      node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      call(node, "fillUnindexed", "k.t", "100");
      node.cql("ALTER TABLE k.t WITH memtable = 'default'");
      assertThat(call(node, "tablesInRocks")).containsExactly("k/t");
      writeAndDie(node);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t WHERE v = 7")).containsExactly("k=1");
    }
  }

  /** One whose moves out take a while. */
  private static NodeSettings slow(String directory) throws IOException {
    return synced(directory, "0B").yaml("compaction_throughput", "1KiB/s");
  }

  private static void writeAndDie(NodeProcess node) throws IOException {
    node.cql("INSERT INTO k.t (k, v) VALUES (1, 7)");
    die(node, "releaseCommitLogAndDie", "k", "t");
  }

  @Test
  void should_leave_no_commit_log_when_the_node_stops_while_a_table_is_copied() throws IOException {
    NodeSettings settings = slow("drained");
    try (NodeProcess node = NodeProcess.start(settings)) {
      fill(node);
      node.cql("ALTER TABLE k.t WITH memtable = 'default'");
      node.cql("INSERT INTO k.t (k, v) VALUES (" + ROWS + ", 1)");
      node.stop();
    }
    assertThat(Files.readString(settings.directory().resolve("logs/system.log")))
        .doesNotContain("Failed to force-recycle");
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(call(node, "tablesInRocks")).containsExactly("k/t k/t.v");
      check(node, ROWS + 1);
    }
  }

  /** A kill takes what Cassandra's own log has not synced, and some writes are in that one. */
  private static NodeSettings synced(String directory, String atOnce) throws IOException {
    Map<String, String> parameters = TestNode.parameters(Map.of("move_at_once", atOnce));
    return TestNode.synced(TestNode.settings(TestNode.newDirectory(directory)))
        .memtable("rocksdb", RocksMemtable.class.getName(), parameters);
  }

  private static void fill(NodeProcess node) throws IOException {
    node.cql(KEYSPACE);
    node.cql(TABLE);
    node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
    call(node, "fill", "k.t", "0", Integer.toString(ROWS));
  }

  private static void check(NodeProcess node, int rows) throws IOException {
    assertThat(node.cql("SELECT k FROM k.t")).hasSize(rows);
    List<String> ones = node.cql("SELECT k FROM k.t WHERE v = 1 ALLOW FILTERING");
    assertThat(ones).hasSizeBetween(ROWS / 7 - 3, ROWS / 7 + 3);
  }
}
