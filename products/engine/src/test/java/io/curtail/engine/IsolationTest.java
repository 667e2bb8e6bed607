/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.RocksDB;

/** Rows of one partition that are written together are seen together, as in Cassandra. */
class IsolationTest {
  private static final int PARTITIONS = 3;
  private static final int ROWS = 40;
  private static final int WRITES = 200;
  private static final int READS = 200;

  private final EmbeddedNode node = TestNode.start();
  private final AtomicInteger writing = new AtomicInteger(PARTITIONS);
  private final AtomicInteger hungry = new AtomicInteger(PARTITIONS);

  @ParameterizedTest
  @CsvSource({
    "slices, 'SELECT p, v FROM twin.%s WHERE p = %d'",
    "reversed, 'SELECT p, v FROM twin.%s WHERE p = %d ORDER BY c DESC'",
    "lookups, 'SELECT p, v FROM twin.%s WHERE p = %d AND c IN (0, 13, 39)'",
    "scans, 'SELECT p, v FROM twin.%s'"
  })
  void should_see_all_of_a_write_or_nothing(String name, String query) throws Exception {
    String table = "isolated_" + name;
    node.cql(
        "CREATE TABLE twin."
            + table
            + " (p int, c int, s int STATIC, v int, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<Integer>> readers = new ArrayList<>();
    List<Future<?>> writers = new ArrayList<>();
    try {
      for (int i = 0; i < PARTITIONS; i++) {
        int partition = i;
        writers.add(threads.submit(() -> write(table, partition)));
        readers.add(threads.submit(reader(String.format(query, table, partition))));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).as("reads that saw something").isGreaterThanOrEqualTo(READS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void should_see_a_row_when_an_older_deletion_of_its_partition_follows_it() throws Exception {
    node.cql(
        "CREATE TABLE twin.isolated_header (p int, c int, v int, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb'");
    String row = "UPDATE twin.isolated_header USING TIMESTAMP %d SET v = %d WHERE p = 1 AND c = 1";
    node.cql(String.format(row, 1, 0));
    node.cql("DELETE FROM twin.isolated_header USING TIMESTAMP 0 WHERE p = 1");
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      AtomicInteger left = new AtomicInteger(10 * WRITES);
      Future<?> writer =
          threads.submit(
              () -> {
                for (int value = 1; left.get() > 0; value++) {
                  // What was there before the row was written goes, and the row stays.
                  node.cql(String.format(row, 2 * value + 1, value));
                  node.cql(
                      "DELETE FROM twin.isolated_header USING TIMESTAMP "
                          + 2 * value
                          + " WHERE p = 1");
                }
              });
      while (left.decrementAndGet() > 0) {
        assertThat(node.rows("SELECT v FROM twin.isolated_header WHERE p = 1 AND c = 1"))
            .hasSize(1);
      }
      writer.get();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void should_read_while_writers_wait_for_write_buffers() throws Exception {
    node.cql(
        "CREATE TABLE twin.isolated_stall (p int, c int, v text, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb'");
    int batches = 400;
    AtomicInteger written = new AtomicInteger();
    ExecutorService threads = Executors.newCachedThreadPool();
    RocksDB database = Engine.running().database.rocksdb;
    String query = "SELECT c FROM twin.isolated_stall WHERE p = 1";
    database.pauseBackgroundWork();
    try {
      Future<?> writer = threads.submit(() -> writePairs(batches, written));
      try {
        int before = -1;
        while (before < 20 || written.get() > before) {
          before = written.get();
          Thread.sleep(1_000);
        }
        assertThat(before).as("batches before there was no room").isLessThan(batches);
        assertThat(threads.submit(() -> node.cql(query).size()).get(3, TimeUnit.MINUTES))
            .isGreaterThanOrEqualTo(2 * before)
            .isEven();
      } finally {
        database.continueBackgroundWork();
      }
      writer.get();
      assertThat(node.cql(query).size()).isEqualTo(2 * batches);
    } finally {
      threads.shutdownNow();
    }
  }

  private void writePairs(int batches, AtomicInteger written) {
    String value = "x".repeat(100_000);
    while (written.get() < batches) {
      int pair = 2 * written.get();
      String batch =
          String.format(
              "BEGIN UNLOGGED BATCH"
                  + " INSERT INTO twin.isolated_stall (p, c, v) VALUES (1, %d, '%s');"
                  + " INSERT INTO twin.isolated_stall (p, c, v) VALUES (1, %d, '%s');"
                  + " APPLY BATCH",
              pair, value, pair + 1, value);
      if (isAcknowledged(batch)) {
        written.incrementAndGet();
      }
    }
  }

  /** A write may wait for longer than Cassandra does. */
  private boolean isAcknowledged(String write) {
    try {
      node.cql(write);
      return true;
    } catch (WriteTimeoutException e) {
      return false;
    }
  }

  private void write(String table, int partition) {
    try {
      for (int value = 1; value <= WRITES || hungry.get() > 0; value++) {
        StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH USING TIMESTAMP " + value);
        for (int row = 0; row < ROWS; row++) {
          batch.append(
              String.format(
                  " INSERT INTO twin.%s (p, c, v) VALUES (%d, %d, %d);",
                  table, partition, row, value));
        }
        node.cql(batch + " APPLY BATCH");
      }
    } finally {
      writing.decrementAndGet();
    }
  }

  /** Returns how often something was there. Writers go on until it was often enough. */
  private Callable<Integer> reader(String query) {
    return () -> {
      int seen = 0;
      try {
        while (seen < READS) {
          seen += valuesOf(query);
        }
      } finally {
        hungry.decrementAndGet();
      }
      while (writing.get() > 0) {
        seen += valuesOf(query);
      }
      return seen;
    };
  }

  private int valuesOf(String query) {
    Map<Integer, Set<Integer>> values = new HashMap<>();
    for (UntypedResultSet.Row row : node.cql(query)) {
      values.computeIfAbsent(row.getInt("p"), p -> new HashSet<>()).add(row.getInt("v"));
    }
    assertThat(values.values()).as("of one write").allMatch(ofOne -> ofOne.size() == 1);
    return values.size();
  }
}
