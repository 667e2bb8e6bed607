/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.die;
import static io.curtail.engine.TestNode.synced;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that die while the data files of a table are taken into RocksDB. */
class AbsorbKillTest {
  private static final int ROWS = 2_000;

  @Test
  void should_keep_every_row_and_raise_none_when_the_node_dies_meanwhile() throws IOException {
    NodeSettings settings = synced(TestNode.settings(TestNode.newDirectory("absorbing")));
    try (NodeProcess node = NodeProcess.start(settings)) {
      create(node);
      node.cql("DELETE FROM k.t WHERE k = 8");
      for (int i = 0; i < 10; i++) {
        node.cql("UPDATE k.counted SET n = n + 1 WHERE k = 1");
      }
      die(node, "absorbAndDie k t " + ROWS / 2);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS - 1, 20);
      node.cql("DELETE FROM k.t WHERE k = 15");
      die(node, "absorbAndDie k counted 1");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS - 2, 20);
      die(node, "absorbAndDieRemoving k t");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS - 2, 20);
      die(node, "absorbAndDieRemoving k counted");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node, ROWS - 2, 20);
      call(node, "absorb k t");
      call(node, "absorb k counted");
      node.cql("UPDATE k.counted SET n = n + 1 WHERE k = 1");
      assertThat(call(node, "dataFiles k t")).containsExactly("0");
      assertThat(call(node, "dataFiles k counted")).containsExactly("0");
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(call(node, "dataFiles k t")).containsExactly("0");
      check(node, ROWS - 2, 21);
      assertThat(node.cql("SELECT k FROM k.t WHERE k IN (8, 15)")).isEmpty();
    }
  }

  @Test
  void should_absorb_by_itself_when_that_is_configured() throws IOException {
    Map<String, String> parameters = TestNode.parameters(Map.of("absorb", "true"));
    NodeSettings settings =
        TestNode.guarded(TestNode.newDirectory("absorber"))
            .memtable("rocksdb", RocksMemtable.class.getName(), parameters);
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      call(node, "fill k.t 0 100");
      call(node, "flush k t");
      assertThat(call(node, "dataFiles k t")).containsExactly("1");
      node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      await(() -> call(node, "dataFiles k t").equals(List.of("0")));
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(100);
    }
  }

  private static void create(NodeProcess node) throws IOException {
    node.cql(KEYSPACE);
    node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH gc_grace_seconds = 0");
    node.cql("CREATE TABLE k.counted (k int PRIMARY KEY, n counter)");
    node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
    call(node, "fill k.t 0 " + ROWS);
    for (int i = 0; i < 10; i++) {
      node.cql("UPDATE k.counted SET n = n + 1 WHERE k = 1");
    }
    node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
    node.cql("ALTER TABLE k.counted WITH memtable = 'rocksdb'");
    for (String table : List.of("t", "counted")) {
      await(() -> !call(node, "dataFiles k " + table).equals(List.of("0")));
    }
  }

  private static void check(NodeProcess node, int rows, int count) throws IOException {
    assertThat(node.cql("SELECT k FROM k.t")).hasSize(rows);
    List<String> ones = node.cql("SELECT k FROM k.t WHERE v = 1 ALLOW FILTERING");
    assertThat(ones).hasSize(ROWS / 7 + 1 - (ROWS - rows));
    assertThat(node.cql("SELECT n FROM k.counted")).containsExactly("n=" + count);
  }
}
