/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.curtail.testnode.EmbeddedNode;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** What a table in RocksDB does to the node's other tables: nothing. */
class OtherTablesTest {
  private static final int HANG_SECONDS = 300;

  private final EmbeddedNode node = TestNode.start();
  private Thread thread;

  @Test
  void should_flush_a_stock_table_while_a_snapshot_waits_for_the_disk() throws Exception {
    whileHeld("snapshot", table -> table.snapshot("held"));
  }

  @Test
  void should_flush_a_stock_table_while_a_truncation_waits_for_the_disk() throws Exception {
    whileHeld("truncation", ColumnFamilyStore::truncateBlocking);
    assertThat(node.rows("SELECT k FROM twin.held_truncation")).isEmpty();
  }

  /** Both have RocksDB write its buffers to files, which it cannot while it is paused. */
  private void whileHeld(String name, Consumer<ColumnFamilyStore> operation) throws Exception {
    String held = "held_" + name;
    String stock = "stock_" + name;
    node.cql("CREATE TABLE twin." + held + " (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("CREATE TABLE twin." + stock + " (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin." + held + " (k) VALUES (1)");
    node.cql("INSERT INTO twin." + stock + " (k) VALUES (1)");
    RocksDB database = Engine.running().database.rocksdb;
    database.pauseBackgroundWork();
    CompletableFuture<Void> waiting;
    try {
      waiting =
          CompletableFuture.runAsync(() -> operation.accept(node.store("twin", held)), this::run);
      awaitExport(waiting);
      ColumnFamilyStore other = node.store("twin", stock);
      CompletableFuture.runAsync(
              () -> other.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED))
          .get(HANG_SECONDS, TimeUnit.SECONDS);
      assertThat(other.getLiveSSTables()).hasSize(1);
      assertThat(waiting).isNotDone();
    } finally {
      database.continueBackgroundWork();
    }
    waiting.get(HANG_SECONDS, TimeUnit.SECONDS);
  }

  private void run(Runnable task) {
    thread = new Thread(task, "held");
    thread.start();
  }

  /** Until it is in the call of RocksDB that cannot return. */
  private void awaitExport(CompletableFuture<Void> waiting) {
    await()
        .atMost(HANG_SECONDS, TimeUnit.SECONDS)
        .until(
            () ->
                waiting.isDone()
                    || Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("exportColumnFamily")));
    assertThat(waiting).isNotDone();
  }
}
