/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a node does after a sync of the engine's log that failed: RocksDB flushes no more. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogFailureTest {
  private static NodeSettings settings(String name) throws IOException {
    return TestNode.settings(TestNode.newDirectory(name))
        .yaml("disk_failure_policy", "ignore")
        .yaml("auto_snapshot", "true");
  }

  @Test
  void should_fail_what_needs_a_flush_of_rocksdb_and_drain_when_the_log_cannot_be_synced()
      throws IOException {
    NodeSettings settings = settings("unsynced");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      node.cql("DELETE FROM k.t WHERE k = 2");
      TestNode.call(node, "failLogSyncs");
      String copy = settings.directory().resolve("copy").toString();
      for (String action :
          List.of(
              "snapshot k t s",
              "truncate k t",
              "flushInRocks k t",
              "compact k t",
              "checkpoint " + copy)) {
        assertThatThrownBy(() -> TestNode.call(node, action))
            .as(action)
            .hasMessageContaining("the log could not be synced");
      }
      // Who asks by JMX may not have a class of Cassandra.
      assertThat(TestNode.call(node, "sweep k t"))
          .singleElement()
          .asString()
          .startsWith(IOException.class.getName())
          .contains("the log could not be synced");
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
      TestNode.call(node, "drain");
    }
  }

  @Test
  void should_stop_talking_when_disk_failure_policy_is_stop() throws IOException {
    NodeSettings settings = settings("stopping").yaml("disk_failure_policy", "stop");
    try (NodeProcess node = NodeProcess.start(settings)) {
      failOnWrite(node);
      await(() -> TestNode.call(node, "talks").equals(List.of("false")));
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_end_the_process_and_keep_what_was_acknowledged_when_disk_failure_policy_is_die()
      throws IOException {
    NodeSettings settings = settings("dying").yaml("disk_failure_policy", "die");
    try (NodeProcess node = NodeProcess.start(settings)) {
      failOnWrite(node);
      await(() -> ProcessHandle.of(node.pid()).filter(ProcessHandle::isAlive).isEmpty());
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t WHERE k = 1")).containsExactly("k=1");
    }
  }

  private static void failOnWrite(NodeProcess node) throws IOException {
    node.cql(TestNode.KEYSPACE);
    node.cql("CREATE TABLE k.t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO k.t (k) VALUES (1)");
    TestNode.call(node, "failLogSyncs");
  }

  /** Else the node would have another schema than the others, and no change would end any more. */
  @Test
  void should_go_on_with_changes_of_the_schema_when_rocksdb_cannot_write_them_down()
      throws IOException {
    NodeSettings settings = settings("unchanged").yaml("auto_snapshot", "false");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      for (String table : List.of("indexed", "moved", "dropped")) {
        node.cql("CREATE TABLE k." + table + " (k int PRIMARY KEY, v int) WITH memtable='rocksdb'");
        node.cql("INSERT INTO k." + table + " (k, v) VALUES (1, 7)");
      }
      node.cql("CREATE INDEX by_v ON k.indexed (v) USING 'legacy_local_table'");
      await(() -> !node.cql("SELECT * FROM system.\"IndexInfo\" WHERE table_name = 'k'").isEmpty());
      TestNode.call(node, "failLogSyncs");
      node.cql("DROP INDEX k.by_v");
      node.cql("ALTER TABLE k.moved WITH memtable = 'default'");
      node.cql("DROP TABLE k.dropped");
      node.cql("CREATE TABLE k.stock (k int PRIMARY KEY)");
      node.cql("INSERT INTO k.stock (k) VALUES (1)");
      assertThat(node.cql("SELECT k FROM k.moved")).containsExactly("k=1");
      assertThat(node.cql("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'k'"))
          .containsExactly("table_name='indexed'", "table_name='moved'", "table_name='stock'");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT v FROM k.indexed WHERE k = 1")).containsExactly("v=7");
      await(() -> node.cql("SELECT k FROM k.moved").equals(List.of("k=1")));
      node.cql("INSERT INTO k.stock (k) VALUES (2)"); // Cassandra may have lost the first
    }
  }

  /** Cassandra's flushes of all tables wait for the writes that began before. */
  @Test
  void should_flush_other_tables_drain_and_end_when_the_log_fails_while_writers_wait_for_rocksdb()
      throws IOException {
    NodeSettings settings = settings("stalled");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.stock (k int PRIMARY KEY)");
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO k.stock (k) VALUES (1)");
      TestNode.call(node, "stall k.t");
      TestNode.call(node, "failLogSyncs");
      TestNode.call(node, "endStall");
      TestNode.call(node, "flush k stock");
      assertThat(node.cql("SELECT k FROM k.stock")).containsExactly("k=1");
      assertThat(node.cql("SELECT k FROM k.t WHERE k = 0")).containsExactly("k=0");
      assertThatThrownBy(() -> node.cql("INSERT INTO k.t (k) VALUES (1)"))
          .isInstanceOf(IllegalStateException.class);
      TestNode.call(node, "drain");
      node.stop();
    }
  }
}
