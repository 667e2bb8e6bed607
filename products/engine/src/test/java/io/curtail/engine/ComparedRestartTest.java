/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.synced;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nodes on which a table is compared with RocksDB and none is in it, in a child process. */
class ComparedRestartTest {
  private static final String TABLE =
      "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'compared'";

  private static NodeSettings settings(String directory) {
    return synced(TestNode.settings(TestNode.newDirectory(directory)))
        .memtable("compared", ComparedMemtable.class.getName(), TestNode.compared("trie", "1s"));
  }

  private static void awaitState(NodeProcess node, String state) {
    patiently()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(node.cql("SELECT state FROM curtail_engine.compared"))
                    .singleElement()
                    .asString()
                    .contains(state));
  }

  private static void fill(NodeProcess node, int from, int to) throws IOException {
    call(node, "fill k.t " + from + " " + to);
  }

  private static void awaitCompared(NodeProcess node, int written) {
    patiently()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(
                        node.cql(
                            "SELECT written, skipped, errors, differences, compared FROM"
                                + " curtail_engine.compared"))
                    .singleElement()
                    .asString()
                    .contains("written=" + written, "skipped=0", "errors=0", "differences=0")
                    .doesNotContain("compared=0"));
  }

  @Test
  void should_keep_all_rows_over_kills_and_begin_anew_and_need_the_engine_no_longer()
      throws IOException {
    NodeSettings settings = settings("compared");
    Path directory = settings.directory();
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      awaitState(node, "compared");
      fill(node, 0, 100);
      awaitCompared(node, 100);
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(100);
      awaitState(node, "compared");
      assertThat(node.cql("SELECT name, value FROM curtail_engine.metrics WHERE name = 'Tables'"))
          .singleElement()
          .asString()
          .contains("value=0");
      fill(node, 100, 150);
      awaitCompared(node, 50);
      node.cql("ALTER TABLE k.t WITH memtable = 'trie'");
      node.kill();
    }
    assertThat(markers(directory)).isZero();
    NodeSettings stock = TestNode.plain(directory).memtable("trie", "TrieMemtable", Map.of());
    try (NodeProcess node = NodeProcess.start(stock)) {
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(150);
    }
  }

  private static long markers(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.endsWith("curtail-rocksdb.properties")).count();
    }
  }

  @Test
  void should_serve_the_table_when_rocksdb_cannot_be_opened() throws IOException {
    NodeSettings settings =
        TestNode.guarded(TestNode.newDirectory("uncompared"))
            .memtable("rocksdb", RocksMemtable.class.getName(), Map.of("path", "/proc/rocksdb"))
            .memtable(
                "compared", ComparedMemtable.class.getName(), TestNode.compared("trie", "1s"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      fill(node, 0, 100);
      await(
          () ->
              call(node, "compared").stream()
                  .allMatch(line -> line.startsWith("off: ") && line.contains("/proc")));
      fill(node, 100, 120);
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(120);
    }
  }

  @Test
  void should_end_the_comparison_and_not_the_node_when_rocksdb_fails_and_has_no_rows()
      throws IOException {
    try (NodeProcess node = NodeProcess.start(settings("failing"))) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      awaitState(node, "compared");
      assertThat(call(node, "failInBackground")).containsExactly("true");
      awaitState(node, "off: RocksDB failed");
      fill(node, 0, 10);
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(10);
    }
  }

  /** The log fails again and again, also when the operator has ended the comparison. */
  @Test
  void should_not_stop_the_node_when_rocksdb_fails_after_the_last_comparison() throws IOException {
    NodeSettings settings = settings("ended").yaml("disk_failure_policy", "stop");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      awaitState(node, "compared");
      assertThat(call(node, "failInBackground")).containsExactly("true");
      node.cql("ALTER TABLE k.t WITH memtable = 'default'");
      assertThat(call(node, "failInBackground")).containsExactly("true");
      fill(node, 0, 10);
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(10);
    }
  }
}
