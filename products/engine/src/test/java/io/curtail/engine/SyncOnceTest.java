/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.synced;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work whose writes are acknowledged as a whole, where each write of a client waits for a sync. */
@Timeout(SyncOnceTest.MOST_SECONDS)
class SyncOnceTest {
  static final int MOST_SECONDS = 300;

  private static final int PERIOD_SECONDS = 60;

  /** Of those that a start replays at once. */
  private static final int WRITERS = 32;

  private static final int ROWS = 400;

  @Test
  void should_not_wait_for_a_sync_with_each_write_that_is_replayed_or_restored()
      throws IOException {
    assertThat(ROWS / WRITERS * PERIOD_SECONDS).isGreaterThan(2 * MOST_SECONDS);
    NodeSettings settings = synced(TestNode.settings(TestNode.newDirectory("once")));
    group(settings, "10ms");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      call(node, "fill", "k.t", "0", Integer.toString(ROWS));
      call(node, "snapshot k t kept");
      node.kill();
    }
    group(settings, PERIOD_SECONDS + "s");
    try (NodeProcess node = NodeProcess.start(settings)) {
      Path log = settings.directory().resolve("logs/system.log");
      assertThat(Files.readString(log))
          .containsPattern("Log replay complete, [4-9]\\d\\d replayed mutations");
      node.cql("TRUNCATE k.t");
      assertThat(call(node, "restore k t kept")).containsExactly(Integer.toString(ROWS));
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(ROWS);
      // Unlike those of a stream that is written to RocksDB before it ends.
      await(() -> Files.readString(log).contains("as sync is group: set absorb: true"));
    }
  }

  private static void group(NodeSettings settings, String period) {
    Map<String, String> parameters =
        TestNode.parameters(
            Map.of("sync", "group", "sync_period", period, "skip_commitlog", "false"));
    settings.memtable("rocksdb", RocksMemtable.class.getName(), parameters);
  }
}
