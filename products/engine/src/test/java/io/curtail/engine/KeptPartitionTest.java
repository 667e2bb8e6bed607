/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.RecordCache;
import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small partitions that are read whole, again and again, while they change. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeptPartitionTest {
  private static final int PARTITIONS = 8;
  private static final int ROWS = 5;

  private final EmbeddedNode node = TestNode.start();
  private RecordCache cache;

  @BeforeEach
  void create() {
    node.cql("DROP TABLE IF EXISTS twin.whole");
    node.cql(
        "CREATE TABLE twin.whole (p int, c int, v bigint, s int static, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb'");
    cache = TestNode.store(node.store("twin", "whole")).database.recordCache;
    for (int c = 0; c < ROWS; c++) {
      node.cql("INSERT INTO twin.whole (p, c, v) VALUES (1, " + c + ", 10)");
    }
  }

  /** Until RocksDB is not asked: where the cache is full not all comes in at once. */
  private List<String> readOften(String query) {
    long hits = cache.hits();
    List<String> rows = node.rows(query);
    for (int i = 0; i < 1_000 && cache.hits() == hits; i++) {
      rows = node.rows(query);
    }
    assertThat(cache.hits()).isGreaterThan(hits);
    return rows;
  }

  @Test
  void should_answer_as_rocksdb_does_after_each_change() {
    String all = "SELECT c, v FROM twin.whole WHERE p = 1";
    assertThat(readOften(all))
        .containsExactly("c=0, v=10", "c=1, v=10", "c=2, v=10", "c=3, v=10", "c=4, v=10");
    assertThat(node.rows(all + " LIMIT 2")).containsExactly("c=0, v=10", "c=1, v=10");
    node.cql("UPDATE twin.whole SET v = 11 WHERE p = 1 AND c = 1");
    assertThat(readOften(all + " LIMIT 100")).contains("c=1, v=11").hasSize(ROWS);
    node.cql("DELETE FROM twin.whole WHERE p = 1 AND c = 0");
    assertThat(readOften(all)).doesNotContain("c=0, v=10").hasSize(ROWS - 1);
    node.cql("UPDATE twin.whole SET s = 7 WHERE p = 1");
    assertThat(readOften("SELECT c, s FROM twin.whole WHERE p = 1")).contains("c=1, s=7");
    node.cql("UPDATE twin.whole SET s = 8 WHERE p = 1");
    assertThat(readOften("SELECT c, s FROM twin.whole WHERE p = 1")).contains("c=1, s=8");
    assertThat(readOften(all)).hasSize(ROWS - 1);
    node.cql("DELETE FROM twin.whole WHERE p = 1 AND c > 3");
    assertThat(node.rows(all)).hasSize(ROWS - 2);
    assertThat(node.rows(all)).hasSize(ROWS - 2);
    node.cql("DELETE FROM twin.whole WHERE p = 1");
    assertThat(node.rows(all)).isEmpty();
    assertThat(node.rows(all)).isEmpty();
    node.cql("INSERT INTO twin.whole (p, c, v) VALUES (1, 2, 12)");
    assertThat(node.rows(all)).containsExactly("c=2, v=12");
    assertThat(node.rows(all)).containsExactly("c=2, v=12");
  }

  @Test
  void should_answer_a_partition_without_rows_until_there_is_one() {
    String all = "SELECT c, v FROM twin.whole WHERE p = 2";
    assertThat(readOften(all)).isEmpty();
    node.cql("INSERT INTO twin.whole (p, c, v) VALUES (2, 2, 12)");
    assertThat(readOften(all)).containsExactly("c=2, v=12");
  }

  /** A batch is seen whole, and what was acknowledged is. */
  @Test
  void should_answer_all_of_a_batch_or_nothing_and_never_less_than_was_acknowledged()
      throws Exception {
    AtomicLongArray acknowledged = new AtomicLongArray(PARTITIONS);
    for (int p = 0; p < PARTITIONS; p++) {
      write(p, 0);
    }
    long hits = cache.hits();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    Future<?> writer =
        threads.submit(
            () -> {
              for (long version = 1; version <= 3_000; version++) {
                int p = (int) (version % PARTITIONS);
                write(p, version);
                acknowledged.set(p, version);
              }
            });
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int first = i;
      readers.add(
          threads.submit(
              () -> {
                for (int turn = first; !writer.isDone() || cache.hits() == hits; turn++) {
                  int p = turn % PARTITIONS;
                  long least = acknowledged.get(p);
                  List<String> rows = node.rows("SELECT v FROM twin.whole WHERE p = " + p);
                  assertThat(rows).hasSize(ROWS).containsOnly(rows.get(0));
                  assertThat(Long.parseLong(rows.get(0).substring("v=".length())))
                      .isGreaterThanOrEqualTo(least);
                }
                return null;
              }));
    }
    threads.shutdown();
    writer.get();
    for (Future<?> reader : readers) {
      reader.get();
    }
    assertThat(cache.hits()).isGreaterThan(hits);
  }

  private void write(int partition, long version) {
    StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH ");
    for (int c = 0; c < ROWS; c++) {
      batch.append(
          String.format(
              "INSERT INTO twin.whole (p, c, v) VALUES (%d, %d, %d); ", partition, c, version));
    }
    node.cql(batch.append("APPLY BATCH").toString());
  }
}
