/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.memtable;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.TickerType;

/** What the engine reads for itself does not drive out of the cache what requests read. */
class OwnWorkTest {
  private static final int PARTITIONS = 200;

  private final EmbeddedNode node = TestNode.start();

  @ParameterizedTest
  @CsvSource({"passed_rows, ''", "passed_clustered, ', PRIMARY KEY (k, c)'"})
  void should_leave_the_cache_to_requests_when_a_table_is_swept_streamed_and_compacted(
      String table, String clustered) throws IOException {
    create(table, clustered);
    Engine engine = Engine.running();
    EngineControl control = new EngineControl(engine);
    control.flush("twin", table);
    control.compact("twin", table);
    long before = blocksAdded(engine);
    control.sweep("twin", table);
    RocksMemtable memtable = memtable(node.store("twin", table));
    int streamed = 0;
    for (Partition partition : memtable.getFlushSet(null, null)) {
      streamed += rows(partition.unfilteredIterator());
    }
    assertThat(streamed).isEqualTo(PARTITIONS);
    int compared = 0;
    for (Partition partition : memtable.getFlushSet(null, null)) {
      DecoratedKey key = partition.partitionKey();
      compared += rows(memtable.rowIterator(key));
    }
    assertThat(compared).isEqualTo(PARTITIONS);
    assertThat(blocksAdded(engine)).isEqualTo(before);
    node.rows("SELECT * FROM twin." + table + " WHERE k = 1");
    assertThat(blocksAdded(engine)).isGreaterThan(before);
  }

  private void create(String table, String clustered) {
    String key = clustered.isEmpty() ? "k int PRIMARY KEY, c int" : "k int, c int";
    node.cql(
        String.format(
            "CREATE TABLE twin.%s (%s, v text%s) WITH memtable = 'rocksdb'",
            table, key, clustered));
    String value = "v".repeat(1_000);
    for (int k = 0; k < PARTITIONS; k++) {
      node.cql(
          String.format("INSERT INTO twin.%s (k, c, v) VALUES (%d, 1, '%s')", table, k, value));
    }
  }

  private static int rows(UnfilteredRowIterator partition) {
    int rows = 0;
    try (partition) {
      while (partition.hasNext()) {
        partition.next();
        rows++;
      }
    }
    return rows;
  }

  private static long blocksAdded(Engine engine) {
    return engine.database.statistics().getTickerCount(TickerType.BLOCK_CACHE_DATA_ADD);
  }
}
