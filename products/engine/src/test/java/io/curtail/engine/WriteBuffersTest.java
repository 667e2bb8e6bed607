/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.eventually;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A node where a table may have 4 MiB of the 16 MiB of all, and has less, most of it in parts that
 * wait. Its log holds more than that: a log that is full has tables flushed as well.
 */
class WriteBuffersTest {
  private static final int TABLES = 8;
  private static final int ROWS = 160;
  private static final long MOST_BYTES = 16 << 20;

  private static NodeProcess node;

  @BeforeAll
  static void start() throws IOException {
    NodeSettings settings =
        TestNode.with(
            TestNode.settings(TestNode.newDirectory("buffers")), Map.of("max_log_size", "256MiB"));
    node = NodeProcess.start(settings);
    node.cql(TestNode.KEYSPACE);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void should_flush_parts_that_wait_when_all_tables_have_too_much() throws IOException {
    List<String> tables = create("parts", "rocksdb");
    fill(tables);
    awaitFlushes();
    for (String table : tables) {
      assertThat(node.cql("SELECT k FROM k." + table)).hasSize(ROWS);
    }
  }

  @Test
  void should_flush_parts_that_wait_when_tables_are_compared() throws IOException {
    List<String> tables = create("shadowed", "compared");
    patiently()
        .ignoreExceptions()
        .until(
            () -> {
              List<String> states = compared("state");
              return states.size() == TABLES
                  && Set.copyOf(states).equals(Set.of("state='compared'"));
            });
    fill(tables);
    eventually(() -> assertThat(compared("queued_bytes")).containsOnly("queued_bytes=0"));
    assertThat(compared("errors, skipped, state, written"))
        .containsOnly("errors=0, skipped=0, state='compared', written=" + ROWS);
    awaitFlushes();
  }

  private static List<String> create(String name, String memtable) throws IOException {
    List<String> tables = new ArrayList<>();
    for (int table = 0; table < TABLES; table++) {
      tables.add(name + table);
      node.cql(
          String.format(
              "CREATE TABLE k.%s (k int PRIMARY KEY, v text) WITH memtable = '%s'",
              name + table, memtable));
    }
    return tables;
  }

  private static void fill(List<String> tables) throws IOException {
    for (String table : tables) {
      TestNode.call(node, "fillIndexed k." + table + " 0 " + ROWS);
    }
  }

  private static List<String> compared(String columns) throws IOException {
    return node.cql("SELECT " + columns + " FROM curtail_engine.compared");
  }

  /** There are no more writes, which would make RocksDB flush. */
  private static void awaitFlushes() {
    eventually(() -> assertThat(writeBufferBytes()).isLessThanOrEqualTo(MOST_BYTES));
  }

  private static long writeBufferBytes() throws IOException {
    String row =
        node.cql("SELECT value FROM curtail_engine.metrics WHERE name = 'WriteBufferBytes'").get(0);
    return Long.parseLong(row.substring("value=".length()));
  }
}
