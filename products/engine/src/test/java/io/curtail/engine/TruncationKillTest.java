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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nodes that are killed while they truncate a table without snapshots that has data files beside
 * RocksDB, where its deletions are.
 */
class TruncationKillTest {
  @ParameterizedTest
  @CsvSource({
    "MemtableRenewedNotification, false",
    "TruncationNotification, false",
    "SSTableListChangedNotification, false",
    "TruncationNotification, true"
  })
  void should_raise_no_row_and_keep_what_is_written_meanwhile(String told, boolean durable)
      throws IOException {
    NodeSettings settings =
        TestNode.settings(TestNode.newDirectory("truncated")).yaml("auto_snapshot", "false");
    List<String> rows;
    try (NodeProcess node = NodeProcess.start(settings)) {
      // If not, nothing is in another log.
      node.cql(durable ? KEYSPACE : KEYSPACE + " AND durable_writes = false");
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int) WITH memtable = 'default'");
      for (int k = 1; k <= 3; k++) {
        node.cql("INSERT INTO k.t (k, v) VALUES (" + k + ", 1)");
      }
      call(node, "flush k t");
      node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      assertThat(call(node, "dataFiles k t")).containsExactly("1");
      node.cql("DELETE FROM k.t WHERE k = 1");
      node.cql("UPDATE k.t SET v = 2 WHERE k = 2");
      die(node, "truncateAndDie k t " + told + " 4");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      rows = node.cql("SELECT k, v FROM k.t");
      node.cql("TRUNCATE k.t");
      assertThat(node.cql("SELECT k, v FROM k.t")).isEmpty();
      assertThat(call(node, "dataFiles k t")).containsExactly("0");
    }
    if (told.startsWith("SSTableListChanged")) {
      assertThat(rows).containsExactly("k=4, v=0");
    } else {
      assertThat(rows).containsExactlyInAnyOrder("k=2, v=2", "k=3, v=1", "k=4, v=0");
    }
  }
}
