/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a snapshot of a table that nobody reads takes of the cache of those that are read. */
class SnapshotCacheTest {
  private static final int ROWS = 8_000;

  /** The filter of the table's file; its index has a key for each row, as blocks are short. */
  private static final long FILTER_BYTES = ROWS * 10 / 8;

  @Test
  void should_leave_the_block_cache_to_what_clients_read_when_it_is_taken() throws IOException {
    NodeSettings settings =
        TestNode.with(
            TestNode.settings(TestNode.newDirectory("cached")), Map.of("block_size", "1KiB"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, padding text) WITH memtable = 'rocksdb'");
      call(node, "fillUnindexed k.t " + ROWS);
      call(node, "flushInRocks k t");
      call(node, "compact k t");
      node.stop();
    }
    // A start reads nothing of a file that a compaction of the whole has made.
    try (NodeProcess node = NodeProcess.start(settings)) {
      long before = cached(node);
      call(node, "snapshot k t cold");
      assertThat(cached(node) - before).isBetween(-FILTER_BYTES, FILTER_BYTES / 2);
      assertThat(node.cql("SELECT k FROM k.t WHERE k = 1")).containsExactly("k=1");
      assertThat(cached(node) - before).isGreaterThan(FILTER_BYTES);
      node.cql("TRUNCATE k.t");
      assertThat(call(node, "restore k t cold")).containsExactly(Integer.toString(ROWS));
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(ROWS);
    }
  }

  private static long cached(NodeProcess node) throws IOException {
    return Long.parseLong(node.call(CacheActions.class, "cachedBytes", "k", "t").get(0));
  }
}
