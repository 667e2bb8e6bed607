/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.junit.jupiter.api.Test;

/** Writes with another definition of the table than that of the memtable which takes them. */
class SkippedCommitLogTest {
  private static final String IN_ROCKS = " WITH memtable = 'rocksdb'";

  private final EmbeddedNode shared = TestNode.start();

  @Test
  void should_keep_what_a_statement_wrote_that_was_prepared_before_the_table_moved_out()
      throws IOException {
    NodeSettings settings = settings("prepared");
    try (NodeProcess node = start(settings)) {
      node.cql(create("t", IN_ROCKS));
      dies(node, "alterAndWritePreparedAndDie twin.t default 1");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM twin.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_keep_what_was_written_as_to_rocksdb_while_the_table_had_its_former_memtable()
      throws IOException {
    NodeSettings settings = settings("early");
    try (NodeProcess node = start(settings)) {
      node.cql(create("t", ""));
      node.cql(create("opens_the_engine", IN_ROCKS));
      dies(node, "alterAndWriteEarlyAndDie twin t rocksdb 1");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM twin.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_give_segments_of_the_commit_log_up_when_a_statement_was_prepared_before_a_move_in() {
    shared.cql(create("movedin", ""));
    NodeActions.alterAndWritePrepared("twin.movedin", "rocksdb", "1");
    assertThat(NodeActions.isCommitLogReleased()).isEqualTo("true");
    assertThat(shared.rows("SELECT k FROM twin.movedin")).containsExactly("k=1");
  }

  @Test
  void should_refuse_cdc_when_a_start_would_leave_the_commit_log_out() {
    shared.cql(create("cdc", IN_ROCKS));
    shared.cql(create("moves", ""));
    shared.cql("ALTER TABLE twin.moves WITH memtable = 'rocksdb'");
    assertThatThrownBy(() -> shared.cql("ALTER TABLE twin.cdc WITH cdc = true"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("skip_commitlog: true");
  }

  @Test
  void should_refuse_to_move_to_a_memtable_that_would_not_find_the_rows_after_a_restart() {
    shared.cql(create("unguarded", IN_ROCKS));
    assertThatThrownBy(() -> shared.cql("ALTER TABLE twin.unguarded WITH memtable = 'trie'"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Use 'default'");
    shared.cql("ALTER TABLE twin.unguarded WITH memtable = 'default'");
  }

  private static String create(String table, String options) {
    return "CREATE TABLE twin." + table + " (k int PRIMARY KEY, v int)" + options;
  }

  /** Cassandra's log has all that was answered after a kill. */
  private static NodeSettings settings(String name) {
    return TestNode.settings(TestNode.newDirectory(name))
        .yaml("commitlog_sync", "batch")
        .yaml("commitlog_sync_period", "0ms");
  }

  private static NodeProcess start(NodeSettings settings) throws IOException {
    NodeProcess node = NodeProcess.start(settings);
    node.cql(
        "CREATE KEYSPACE twin WITH replication = {'class': 'SimpleStrategy', 'replication_factor':"
            + " 1}");
    return node;
  }

  private static void dies(NodeProcess node, String action) {
    assertThatThrownBy(() -> node.cql("CALL " + NodeActions.class.getName() + " " + action))
        .isInstanceOf(IOException.class);
  }
}
