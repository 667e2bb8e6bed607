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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.store.NodeMarker;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables that move out of RocksDB and back, and nodes that die meanwhile or lack what they need.
 */
class MoveTest {
  private static final int ROWS = 3_000;
  private static final String TABLE =
      "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb' AND"
          + " gc_grace_seconds = 0";

  @ParameterizedTest
  @CsvSource({"8MiB, alterAndDie", "0B, alterAndDie", "0B, alterAndDieCopying"})
  void should_keep_every_row_and_raise_none_when_the_node_dies_while_a_table_moves_out(
      String atOnce, String dies) throws IOException {
    NodeSettings settings = synced("moving", atOnce);
    try (NodeProcess node = NodeProcess.start(settings)) {
      fill(node);
      node.cql("DELETE FROM k.t WHERE k = 8");
      die(node, dies, "k.t", "default");
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

  @Test
  void should_not_start_when_the_directory_is_not_there() throws IOException {
    NodeSettings settings = withOneRow("unmounted");
    Path rocks = settings.directory().resolve("data/curtail-rocksdb");
    Path elsewhere = settings.directory().resolve("elsewhere");
    Files.move(rocks, elsewhere);
    refused(settings, "has rows in " + rocks, "mount it there");
    assertThat(rocks).doesNotExist();
    Files.move(elsewhere, rocks);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_not_start_when_the_directory_is_of_another_node() throws IOException {
    NodeSettings settings = withOneRow("exchanged");
    NodeSettings other = withOneRow("other");
    Path rocks = Path.of("data/curtail-rocksdb");
    Path directory = settings.directory().resolve(rocks);
    Files.move(directory, settings.directory().resolve("elsewhere"));
    Files.move(other.directory().resolve(rocks), directory);
    refused(settings, "has another RocksDB");
  }

  @Test
  void should_not_start_when_the_configuration_is_gone_before_the_rows() throws IOException {
    NodeSettings settings = withOneRow("unconfigured");
    refused(TestNode.guarded(settings.directory()), "put it back");
  }

  @Test
  void should_not_start_when_the_table_names_another_configuration_than_cassandra_yaml()
      throws IOException {
    NodeSettings settings = withOneRow("renamed");
    NodeSettings renamed =
        TestNode.guarded(settings.directory())
            .memtable("rocks", RocksMemtable.class.getName(), TestNode.parameters());
    refused(renamed, "k.t has rows in RocksDB", "rocksdb is not in cassandra.yaml");
  }

  @Test
  void should_start_without_the_engine_when_all_rows_have_moved_out() throws IOException {
    NodeSettings settings = withOneRow("left");
    Path marker = settings.directory().resolve("data/" + NodeMarker.NAME);
    assertThat(marker).exists();
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql("ALTER TABLE k.t WITH memtable = 'default'");
      await(() -> !Files.exists(marker));
      node.stop();
    }
    try (NodeProcess node = NodeProcess.start(TestNode.plain(settings.directory()))) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_refuse_a_table_when_a_restart_would_not_notice_an_unfinished_move()
      throws IOException {
    NodeSettings settings =
        TestNode.plain(TestNode.newDirectory("unguarded"))
            .memtable("rocksdb", RocksMemtable.class.getName(), TestNode.parameters());
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      assertThatThrownBy(() -> node.cql(TABLE))
          .hasMessageContaining("class_name: io.curtail.engine.GuardedMemtable");
    }
  }

  @Test
  void should_not_start_when_a_table_is_there_and_default_is_not_guarded() throws IOException {
    NodeSettings settings = withOneRow("upgraded");
    NodeSettings unguarded =
        TestNode.plain(settings.directory())
            .memtable("rocksdb", RocksMemtable.class.getName(), TestNode.parameters());
    refused(unguarded, "Set the memtable configuration default", "GuardedMemtable");
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  private static NodeSettings withOneRow(String name) throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory(name));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      node.stop();
    }
    return settings;
  }

  private static void refused(NodeSettings settings, String... why) {
    assertThatThrownBy(() -> NodeProcess.start(settings).close())
        .isInstanceOf(IllegalStateException.class)
        .satisfies(refusal -> assertThat(refusal.getMessage()).contains(why));
  }
}
