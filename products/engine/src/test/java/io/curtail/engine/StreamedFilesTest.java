/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.call;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Streamed files that stay beside RocksDB until they are absorbed. */
class StreamedFilesTest {
  private static final int ROWS = 700;

  private final Path saved = TestNode.newDirectory("saved");
  private final NodeSettings settings = settings();

  private static NodeSettings settings() {
    Map<String, String> parameters = TestNode.parameters(Map.of("absorb", "true"));
    // What is deleted here must not rise from Cassandra's log either.
    return TestNode.synced(TestNode.guarded(TestNode.newDirectory("landing")))
        .memtable("rocksdb", RocksMemtable.class.getName(), parameters);
  }

  /** A table with an index; what is in it by now, as a file, which is of this node itself. */
  private void createAndSave(NodeProcess node) throws IOException {
    create(node);
    call(node, "fill k.t 0 " + ROWS);
    stream(node, "save k t " + saved);
    node.cql("TRUNCATE k.t");
  }

  private static void create(NodeProcess node) throws IOException {
    node.cql(TestNode.KEYSPACE);
    node.cql(
        "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH gc_grace_seconds = 0 AND"
            + " memtable = 'rocksdb'");
    node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
    await(() -> !node.cql("SELECT * FROM system.\"IndexInfo\" WHERE table_name = 'k'").isEmpty());
  }

  @Test
  void should_be_read_at_once_absorbed_later_and_purged_then() throws IOException {
    try (NodeProcess node = NodeProcess.start(settings)) {
      createAndSave(node);
      node.cql("DELETE FROM k.t WHERE k = 7");
      node.cql("UPDATE k.t SET v = 100 WHERE k = 14");
      stream(node, "loadAndHold k t " + saved);
      assertThat(waiting(node)).isNotZero();
      check(node);
      Path copy = TestNode.newDirectory("copies").resolve("copy");
      assertThatThrownBy(() -> call(node, "checkpoint " + copy))
          .hasMessageContaining("a checkpoint would lack: curtail engine absorb, then ask again");
      stream(node, "sweep k t");
      // The deletion is there still: what it deletes is in the file. Rows of it may be here by now.
      assertThat(stream(node, "isKnown k t 7")).isEqualTo("true");
      assertThat(node.cql("SELECT k FROM k.t WHERE k = 7")).isEmpty();
      node.cql("DELETE FROM k.t WHERE k = 21");
      stream(node, "release k t");
      await(() -> waiting(node) == 0);
      call(node, "checkpoint " + copy);
      assertThat(copy).isNotEmptyDirectory();
      assertThat(node.cql("SELECT k FROM k.t WHERE k IN (7, 21)")).isEmpty();
      node.cql("INSERT INTO k.t (k, v) VALUES (21, 0)");
      check(node);
      await(() -> stream(node, "sweep k t").equals("" + (ROWS - 1)));
      check(node);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(waiting(node)).isZero();
      check(node);
    }
  }

  @Test
  void should_keep_every_row_when_the_node_dies_before_they_are_absorbed() throws IOException {
    try (NodeProcess node = NodeProcess.start(settings)) {
      createAndSave(node);
      node.cql("DELETE FROM k.t WHERE k = 7");
      node.cql("UPDATE k.t SET v = 100 WHERE k = 14");
      stream(node, "loadAndHold k t " + saved);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node);
      await(() -> waiting(node) == 0);
      check(node);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node);
    }
  }

  @Test
  void should_find_every_row_by_the_index_when_the_node_dies_while_it_is_made() throws IOException {
    try (NodeProcess another = NodeProcess.start(settings())) {
      createAndSave(another);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      create(node);
      node.cql("DELETE FROM k.t WHERE k = 7");
      node.cql("UPDATE k.t SET v = 100 WHERE k = 14");
      assertThatThrownBy(() -> stream(node, "loadAndDie k t " + saved))
          .isInstanceOf(IOException.class);
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      await(() -> call(node, "builtIndexes k t").equals(List.of("v")));
      check(node);
      await(() -> waiting(node) == 0);
      check(node);
    }
  }

  @Test
  void should_follow_their_table_when_it_is_emptied_moved_or_dropped() throws IOException {
    try (NodeProcess node = NodeProcess.start(settings)) {
      createAndSave(node);
      stream(node, "loadAndHold k t " + saved);
      node.cql("TRUNCATE k.t");
      assertThat(waiting(node)).isZero();
      assertThat(node.cql("SELECT k FROM k.t")).isEmpty();
      node.cql("DELETE FROM k.t WHERE k = 7");
      node.cql("UPDATE k.t SET v = 100 WHERE k = 14");
      stream(node, "loadAndHold k t " + saved);
      node.cql("ALTER TABLE k.t WITH memtable = 'default'");
      check(node);
      await(() -> call(node, "tablesInRocks").stream().noneMatch(tables -> tables.contains("k/t")));
      check(node);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node);
      // A file of this node that comes back to a table which is not in RocksDB any more.
      node.cql("TRUNCATE k.t");
      node.cql("DELETE FROM k.t WHERE k = 7");
      node.cql("UPDATE k.t SET v = 100 WHERE k = 14");
      stream(node, "load k t " + saved);
      check(node);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      check(node);
      node.cql("DROP TABLE k.t");
      assertThatThrownBy(() -> node.cql("SELECT k FROM k.t"))
          .hasMessageContaining("does not exist");
    }
  }

  /** All rows but 7, which is deleted; 14 has another value. */
  private static void check(NodeProcess node) throws IOException {
    assertThat(node.cql("SELECT k FROM k.t")).hasSize(ROWS - 1);
    assertThat(node.cql("SELECT k FROM k.t WHERE k = 7")).isEmpty();
    assertThat(node.cql("SELECT k FROM k.t WHERE v = 100")).containsExactly("k=14");
    assertThat(node.cql("SELECT k FROM k.t WHERE v = 0")).hasSize(ROWS / 7 - 2);
    assertThat(node.cql("SELECT k FROM k.t WHERE v = 6")).hasSize(ROWS / 7);
  }

  private static int waiting(NodeProcess node) throws IOException {
    return Integer.parseInt(call(node, "dataFiles k t").get(0));
  }

  private static String stream(NodeProcess node, String action) throws IOException {
    return String.join("", TestNode.call(node, NodeStreams.class, action));
  }
}
