/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.curtail.testnode.EmbeddedNode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** In the shared node a table may have 4 MiB of the 16 MiB of all. */
class WriteBuffersTest {
  private static final int TABLES = 8;
  private static final int ROWS = 110;
  private static final int VALUE_BYTES = 32 << 10;
  private static final long MOST_BYTES = 16 << 20;

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_flush_parts_that_wait_when_all_tables_have_too_much() {
    String value = "0x" + "5a".repeat(VALUE_BYTES);
    for (int table = 0; table < TABLES; table++) {
      node.cql(
          "CREATE TABLE twin.parts"
              + table
              + " (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
      for (int row = 0; row < ROWS; row++) {
        node.cql("INSERT INTO twin.parts" + table + " (k, v) VALUES (" + row + ", " + value + ")");
      }
    }
    // No more writes, which would make RocksDB flush.
    await()
        .atMost(5, TimeUnit.MINUTES)
        .until(
            () -> Engine.running().database.sum("rocksdb.cur-size-all-mem-tables") <= MOST_BYTES);
    for (int table = 0; table < TABLES; table++) {
      assertThat(node.rows("SELECT k FROM twin.parts" + table)).hasSize(ROWS);
    }
  }
}
