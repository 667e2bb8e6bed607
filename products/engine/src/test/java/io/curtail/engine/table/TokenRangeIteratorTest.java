/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;
import org.rocksdb.TickerType;

/** Whole partitions, one after another, from the records that their scan copies. */
class TokenRangeIteratorTest {
  private static final int PARTITIONS = 20;
  private static final int ROWS = 30;
  private static final int ALL = Integer.MAX_VALUE;
  private static final AtomicInteger TABLES = new AtomicInteger();

  private final EmbeddedNode node = TestNode.start();
  private final ColumnFamilyStore table = filled();

  @Test
  void should_seek_no_partition_when_all_are_read() {
    await(() -> seeks(() -> assertThat(rows(ALL)).isEqualTo(PARTITIONS * ROWS)) == 1);
  }

  /** A partition's first copy has no more than it, and what follows is passed. */
  @Test
  void should_seek_once_a_partition_when_few_rows_of_each_are_read() {
    await(() -> seeks(() -> assertThat(rows(1)).isEqualTo(PARTITIONS)) == PARTITIONS + 1);
  }

  @Test
  void should_give_no_part_of_a_partition_for_all_of_it_when_the_scan_went_on() {
    try (TokenRangeIterator scan = scan()) {
      UnfilteredRowIterator begun = scan.next();
      begun.next();
      UnfilteredRowIterator next = scan.next();
      assertThatThrownBy(begun::hasNext).isInstanceOf(IllegalStateException.class);
      assertThat(rows(next, ALL)).isEqualTo(ROWS);
      assertThat(scan.hasNext()).isTrue();
      assertThat(next.hasNext()).isFalse();
    }
  }

  @Test
  void should_give_no_part_of_a_partition_for_all_of_it_when_the_scan_was_closed() {
    TokenRangeIterator scan = scan();
    UnfilteredRowIterator begun = scan.next();
    begun.next();
    scan.close();
    assertThatThrownBy(begun::hasNext).isInstanceOf(IllegalStateException.class);
    assertThat(scan.hasNext()).isFalse();
  }

  private int rows(int ofEach) {
    int rows = 0;
    try (TokenRangeIterator scan = scan()) {
      while (scan.hasNext()) {
        try (UnfilteredRowIterator partition = scan.next()) {
          rows += rows(partition, ofEach);
        }
      }
    }
    return rows;
  }

  private static int rows(UnfilteredRowIterator partition, int most) {
    int rows = 0;
    while (rows < most && partition.hasNext()) {
      partition.next();
      rows++;
    }
    return rows;
  }

  private TokenRangeIterator scan() {
    TableMetadata metadata = table.metadata();
    return new TokenRangeIterator(
        TestNode.store(table),
        metadata,
        ColumnFilter.all(metadata),
        DataRange.allData(metadata.partitioner));
  }

  /** RocksDB counts for all tables: who asks does so again if another was read meanwhile. */
  private long seeks(Runnable read) {
    long before = seeks();
    read.run();
    return seeks() - before;
  }

  private long seeks() {
    return TestNode.store(table).database.statistics().getTickerCount(TickerType.NUMBER_DB_SEEK);
  }

  private ColumnFamilyStore filled() {
    String name = "whole_" + TABLES.incrementAndGet();
    node.cql(
        "CREATE TABLE twin."
            + name
            + " (k int, c int, v int, PRIMARY KEY (k, c)) WITH memtable = 'rocksdb'");
    for (int k = 0; k < PARTITIONS; k++) {
      for (int c = 0; c < ROWS; c++) {
        node.cql(String.format("INSERT INTO twin.%s (k, c, v) VALUES (%d, %d, 1)", name, k, c));
      }
    }
    return node.store("twin", name);
  }
}
