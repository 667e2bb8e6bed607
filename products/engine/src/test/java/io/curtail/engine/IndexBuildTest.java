/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Indexes that are built on a node whose writers wait for the log. */
class IndexBuildTest {
  private static final int PERIOD_SECONDS = 60;
  private static final int ROWS = 20;

  @Test
  void should_not_wait_for_a_sync_of_the_log_with_each_entry() throws IOException {
    assertThat(ROWS * PERIOD_SECONDS).isGreaterThan(2 * (int) PATIENCE.toSeconds());
    Map<String, String> parameters =
        TestNode.parameters(Map.of("sync", "group", "sync_period", PERIOD_SECONDS + "s"));
    NodeSettings settings =
        TestNode.settings(TestNode.newDirectory("built"))
            .memtable("rocksdb", RocksMemtable.class.getName(), parameters);
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      call(node, "fill", "k.t", "0", Integer.toString(ROWS));
      node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
      await(() -> call(node, "builtIndexes", "k", "t").equals(List.of("v")));
      assertThat(node.cql("SELECT k FROM k.t WHERE v = 1"))
          .containsExactlyInAnyOrder("k=1", "k=8", "k=15");
      assertThat(call(node, "tablesInRocks")).containsExactly("k/t.v");
    }
  }
}
