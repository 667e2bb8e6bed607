/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
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
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql(create("k.t", IN_ROCKS));
      TestNode.die(node, "alterAndWritePreparedAndDie k.t default 1");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_keep_what_was_written_as_to_rocksdb_while_the_table_had_its_former_memtable()
      throws IOException {
    NodeSettings settings = settings("early");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql(create("k.t", ""));
      node.cql(create("k.opens_the_engine", IN_ROCKS));
      TestNode.die(node, "alterAndWriteEarlyAndDie k t rocksdb 1");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_give_segments_of_the_commit_log_up_when_a_statement_was_prepared_before_a_move_in() {
    shared.cql(create("twin.movedin", ""));
    NodeActions.alterAndWritePrepared("twin.movedin", "rocksdb", "1");
    await(() -> NodeActions.isCommitLogReleased().equals("true"));
    assertThat(shared.rows("SELECT k FROM twin.movedin")).containsExactly("k=1");
  }

  @Test
  void should_refuse_cdc_when_a_start_would_leave_the_commit_log_out() {
    shared.cql(create("twin.cdc", IN_ROCKS));
    shared.cql(create("twin.moves", ""));
    shared.cql("ALTER TABLE twin.moves WITH memtable = 'rocksdb'");
    assertThatThrownBy(() -> shared.cql("ALTER TABLE twin.cdc WITH cdc = true"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("skip_commitlog: true");
  }

  @Test
  void should_refuse_to_move_to_a_memtable_that_would_not_find_the_rows_after_a_restart() {
    shared.cql(create("twin.unguarded", IN_ROCKS));
    assertThatThrownBy(() -> shared.cql("ALTER TABLE twin.unguarded WITH memtable = 'trie'"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Use 'default'");
    shared.cql("ALTER TABLE twin.unguarded WITH memtable = 'default'");
  }

  private static String create(String table, String options) {
    return "CREATE TABLE " + table + " (k int PRIMARY KEY, v int)" + options;
  }

  private static NodeSettings settings(String name) {
    return TestNode.synced(TestNode.settings(TestNode.newDirectory(name)));
  }
}
