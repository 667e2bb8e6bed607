/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.curtail.engine.operation.MoveOut;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.index.sasi.SASIIndex;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Refs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table that is too large to move to Cassandra's data files in one flush. */
class MoveOutTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** More than the node moves at once, after compression. */
  private static final int ROWS = 1_500;

  private static final int ROW_BYTES = 7_000;

  /** Hard to compress. */
  private static final String NOISE = noise();

  private static final AtomicInteger TABLES = new AtomicInteger();

  private final EmbeddedNode node = TestNode.start();
  private final int throughput = (int) DatabaseDescriptor.getCompactionThroughputBytesPerSec();
  private final double share = DatabaseDescriptor.getMaxSpaceForCompactionsPerDrive();
  private final String name = "large" + TABLES.incrementAndGet();
  private final String table = "twin." + name;
  private ColumnFamilyStore store;

  @BeforeEach
  void create() {
    node.cql(
        "CREATE TABLE "
            + table
            + " (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb' AND"
            + " gc_grace_seconds = 0 AND compaction = {'class': 'SizeTieredCompactionStrategy',"
            + " 'enabled': false}");
    node.cql("CREATE INDEX " + name + "_v ON " + table + " (v) USING 'legacy_local_table'");
    store = node.store("twin", name);
    for (int k = 0; k < ROWS; k++) {
      int from = (int) ((long) k * ROW_BYTES % (NOISE.length() - ROW_BYTES));
      PartitionUpdate.SimpleBuilder row = PartitionUpdate.simpleBuilder(store.metadata(), k);
      row.row().add("v", k % 7).add("padding", NOISE.substring(from, from + ROW_BYTES));
      row.buildAsMutation().apply();
    }
  }

  private static String noise() {
    return new Random(1)
        .ints(1_000_000, ' ', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @AfterEach
  void goOn() {
    DatabaseDescriptor.setCompactionThroughputBytesPerSec(throughput);
    DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(share);
  }

  private void insert(int k, int v, String padding) {
    node.cql(
        String.format(
            "INSERT INTO %s (k, v, padding) VALUES (%d, %d, '%s')", table, k, v, padding));
  }

  /** Some kilobytes, of megabytes, may be copied while the test goes on. */
  private void alterAndHold() {
    DatabaseDescriptor.setCompactionThroughputBytesPerSec(ROW_BYTES);
    node.cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    await()
        .atMost(TIMEOUT)
        .until(() -> Engine.running().tasks.progress().containsKey("write " + table));
  }

  /** A repair that flushed it before it was altered. */
  @Test
  void should_give_a_stream_all_rows_when_it_asks_while_the_table_moves_out() {
    alterAndHold();
    try (Refs<SSTableReader> files = TemporaryFilesTest.write(store)) {
      assertThat(files.stream().mapToLong(SSTableReader::getTotalRows).sum()).isEqualTo(ROWS);
    }
    awaitMoved();
  }

  private boolean isInRocks() {
    return Engine.hasRowsOf(store.metadata());
  }

  private void awaitMoved() {
    goOn();
    await().atMost(TIMEOUT).until(() -> !isInRocks());
    assertThat(store.getCurrentMemtable()).isNotInstanceOf(RocksMemtable.class);
  }

  @Test
  void should_flush_other_tables_and_give_up_the_commit_log_while_a_table_moves_out()
      throws Exception {
    String stock = "beside_" + name;
    node.cql("CREATE TABLE twin." + stock + " (k int PRIMARY KEY)");
    ColumnFamilyStore other = node.store("twin", stock);
    alterAndHold();
    node.cql("INSERT INTO twin." + stock + " (k) VALUES (1)");
    insert(ROWS, 100, "");
    node.cql("DELETE FROM " + table + " WHERE k = 7");
    CompletableFuture.runAsync(() -> other.forceBlockingFlush(FlushReason.USER_FORCED))
        .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    assertThat(other.getLiveSSTables()).hasSize(1);
    List<String> segments = CommitLog.instance.getActiveSegmentNames();
    CommitLog.instance.forceRecycleAllSegments();
    await()
        .atMost(TIMEOUT)
        .until(() -> Collections.disjoint(segments, CommitLog.instance.getActiveSegmentNames()));
    assertThat(isInRocks()).isTrue();
    assertThat(store.getCurrentMemtable()).isInstanceOf(RocksMemtable.class);
    EngineControl control = new EngineControl(Engine.running());
    assertThat(control.getTables().get(table)).containsEntry("state", "MOVING_OUT");
    assertThat(control.getProgress()).containsKey("write " + table);
    check();
    awaitMoved();
    check();
    store.forceMajorCompaction();
    check();
  }

  private void check() {
    assertThat(node.rows("SELECT k FROM " + table)).hasSize(ROWS);
    assertThat(node.rows("SELECT k FROM " + table + " WHERE k = 7")).isEmpty();
    assertThat(node.rows("SELECT k FROM " + table + " WHERE v = 100")).containsExactly("k=" + ROWS);
    assertThat(node.rows("SELECT k FROM " + table + " WHERE v = 0")).hasSize((ROWS + 6) / 7 - 1);
  }

  @Test
  void should_stay_and_then_move_when_it_is_altered_back_and_out_again() {
    alterAndHold();
    node.cql("ALTER TABLE " + table + " WITH memtable = 'rocksdb'");
    goOn();
    await().atMost(TIMEOUT).until(() -> Engine.running().tasks.progress().isEmpty());
    node.cql("DELETE FROM " + table + " WHERE k = 7");
    insert(ROWS, 100, "");
    assertThat(store.getCurrentMemtable()).isInstanceOf(RocksMemtable.class);
    check();
    alterAndHold();
    awaitMoved();
    check();
  }

  @Test
  void should_move_at_once_when_a_repair_needs_its_data_files() {
    alterAndHold();
    store.forceBlockingFlush(FlushReason.VALIDATION);
    assertThat(store.getLiveSSTables().stream().mapToLong(file -> file.getTotalRows()).sum())
        .isEqualTo(ROWS);
    awaitMoved();
  }

  @Test
  void should_be_empty_when_it_is_truncated_meanwhile() {
    alterAndHold();
    node.cql("TRUNCATE " + table);
    assertThat(store.listSnapshots().values())
        .as("the rows, in data files")
        .singleElement()
        .matches(snapshot -> snapshot.computeSizeOnDiskBytes() > 1 << 20);
    insert(1, 1, "");
    assertThat(node.rows("SELECT k FROM " + table)).containsExactly("k=1");
    awaitMoved();
    assertThat(node.rows("SELECT k FROM " + table)).containsExactly("k=1");
  }

  @Test
  void should_move_at_once_when_it_gets_an_index_that_knows_nothing_of_its_rows() {
    DatabaseDescriptor.setSASIIndexesEnabled(true);
    alterAndHold();
    String sasi = SASIIndex.class.getName();
    node.cql("CREATE CUSTOM INDEX ON " + table + " (padding) USING '" + sasi + "'");
    assertThat(store.getCurrentMemtable()).isNotInstanceOf(RocksMemtable.class);
    awaitMoved();
  }

  @Test
  void should_serve_the_rows_until_there_is_room() {
    DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(0);
    node.cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    await().atMost(TIMEOUT).until(() -> Engine.running().moveOut.isPaused(store));
    node.cql("DELETE FROM " + table + " WHERE k = 7");
    insert(ROWS, 100, "");
    assertThat(store.getLiveSSTables()).isEmpty();
    check();
    awaitMoved();
    check();
  }

  /** RocksDB's own estimate of live data takes files that overlap for one. */
  @Test
  void should_not_be_short_when_the_rows_are_in_files_that_overlap() throws IOException {
    String files = "files_" + name;
    node.cql("CREATE TABLE twin." + files + " (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    for (int round = 0; round < 2; round++) {
      for (int k = round; k < 200; k += 2) {
        node.cql("INSERT INTO twin." + files + " (k) VALUES (" + k + ")");
      }
      new EngineControl(Engine.running()).flush("twin", files);
    }
    ColumnFamilyStore other = node.store("twin", files);
    long bytes = TestNode.memtable(other).store().fileBytes();
    assertThat(bytes).isPositive();
    assertThat(MoveOut.isShort(other, bytes * 3 / 4)).isFalse();
    assertThat(MoveOut.isShort(other, bytes + (1 << 20))).isTrue();
  }

  @Test
  void should_refuse_a_memtable_without_guard_while_it_moves() {
    alterAndHold();
    assertThatThrownBy(() -> node.cql("ALTER TABLE " + table + " WITH memtable = 'trie'"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("curtail engine status");
    awaitMoved();
  }
}
