/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.node.EmbeddedNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

class HotRecordsTest {
  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_merge_few_fragments_when_a_row_was_written_again_and_again() throws Exception {
    node.cql("CREATE TABLE twin.hot (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    int writes = 2_000;
    for (int i = 1; i <= writes; i++) {
      node.cql("INSERT INTO twin.hot (k, v) VALUES (1, " + i + ")");
      node.cql("INSERT INTO twin.hot (k, v) VALUES (" + (1_000 + i) + ", " + i + ")");
    }
    assertThat(fragmentsOfAllRecords("hot"))
        .isBetween((long) writes, (long) writes + 2 * HotRecords.MOST_FRAGMENTS);
    assertThat(node.cql("SELECT v FROM twin.hot WHERE k = 1").one().getInt("v")).isEqualTo(writes);
  }

  @Test
  void should_lose_no_write_when_others_write_to_the_row() throws Exception {
    List<String> columns = List.of("v1", "v2", "v3", "v4");
    node.cql(
        "CREATE TABLE twin.hot_shared (p int, c int, "
            + String.join(" int, ", columns)
            + " int, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    int writes = 2_000;
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (String column : columns) {
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 1; i <= writes; i++) {
                    node.cql(
                        String.format(
                            "UPDATE twin.hot_shared SET %s = %d WHERE p = 1 AND c = 1", column, i));
                    String query = "SELECT " + column + " FROM twin.hot_shared WHERE p = 1";
                    assertThat(node.cql(query).one().getInt(column)).isEqualTo(i);
                  }
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void should_find_what_comes_often_and_nothing_else() {
    HotRecords records = new HotRecords();
    int found = 0;
    int foundOften = 0;
    for (int i = 0; i < 100_000; i++) {
      found += records.add(1, ByteBuffer.allocate(8).putLong(i % 50_000).array()) ? 1 : 0;
      foundOften += i % 10 == 0 && records.add(1, new byte[] {7}) ? 1 : 0;
    }
    assertThat(found).isZero();
    assertThat(foundOften).isBetween(600, 10_000 / HotRecords.MOST_FRAGMENTS);
  }

  private static long fragmentsOfAllRecords(String table) throws RocksDBException {
    Engine engine = Engine.running();
    RocksMemtable memtable =
        engine.stores.memtables().stream()
            .filter(each -> each.metadata().name.equals(table))
            .findFirst()
            .orElseThrow();
    engine.database.setPerfLevel(PerfLevel.ENABLE_COUNT);
    try (ReadOptions reading = new ReadOptions().setTotalOrderSeek(true);
        RocksIterator records = engine.iterator(memtable.store().family(), reading)) {
      PerfContext counts = engine.database.getPerfContext();
      counts.reset();
      for (records.seekToFirst(); records.isValid(); records.next()) {
        assertThat(records.value()).isNotEmpty();
      }
      return counts.getInternalMergeCount();
    } finally {
      engine.database.setPerfLevel(PerfLevel.DISABLE);
    }
  }
}
