/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.table.Sweep;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TickerType;

/** What a sweep leaves to those who write meanwhile. */
class SweepTest {
  private static final int ROWS = 60;
  private static final int ROW_BYTES = 100_000;

  /** Of a sweep under one hold of the lock, but for one row. */
  private static final int HOLD_BYTES = 256 << 10;

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_let_writers_through_after_each_few_rows_when_they_are_large() throws Exception {
    node.cql(
        "CREATE TABLE twin.bulky (p int, c int, v blob, w int, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb' AND gc_grace_seconds = 0");
    fill("bulky", ROWS);
    for (int c = 0; c < ROWS; c++) {
      node.cql("UPDATE twin.bulky USING TTL 1 SET w = 1 WHERE p = 1 AND c = " + c);
    }
    ColumnFamilyStore table = node.store("twin", "bulky");
    TableStore store = TestNode.store(table);
    long whenAllHasExpired = FBUtilities.nowInSeconds() + 10;
    Sweep sweep = new Sweep(store, table::metadata, whenAllHasExpired, () -> true);
    List<Long> read = new ArrayList<>();
    List<Long> written = new ArrayList<>(List.of(writtenBytes()));
    boolean wentOn =
        sweep.partition(
            partition(table, 1),
            bytes -> {
              read.add(bytes);
              written.add(writtenBytes());
              write(read.size());
              return true;
            });
    assertThat(wentOn).isTrue();
    assertThat(sweep.removed()).isEqualTo(ROWS);
    assertThat(read)
        .hasSizeGreaterThan(ROWS * ROW_BYTES / (2 * HOLD_BYTES))
        .allMatch(bytes -> bytes < HOLD_BYTES + 2 * ROW_BYTES);
    for (int hold = 1; hold < written.size(); hold++) {
      assertThat(written.get(hold) - written.get(hold - 1)).isLessThan(HOLD_BYTES + 2L * ROW_BYTES);
    }
    assertThat(node.rows("SELECT c, w FROM twin.bulky WHERE p = 1"))
        .hasSize(ROWS + read.size())
        .filteredOn(row -> row.endsWith("w=7"))
        .hasSize(read.size());
  }

  private static void fill(String table, int rows) throws Exception {
    ByteBuffer value = ByteBuffer.allocate(ROW_BYTES);
    Inserts.run(
        "INSERT INTO twin." + table + " (p, c, v) VALUES (1, ?, ?)",
        "0",
        Integer.toString(rows),
        c -> List.of(ByteBufferUtil.bytes(c), value.duplicate()));
  }

  /** Each hold of the lock reads all ranges, and syncs the log if it shortens one. */
  @Test
  void should_take_more_rows_at_once_and_count_the_ranges_when_a_partition_has_some()
      throws Exception {
    node.cql(
        "CREATE TABLE twin.ranged (p int, c int, v blob, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb' AND gc_grace_seconds = 0");
    int rows = 40;
    fill("ranged", rows);
    node.cql("DELETE FROM twin.ranged WHERE p = 1 AND c > -1 AND c < 1000");
    ColumnFamilyStore table = node.store("twin", "ranged");
    TableStore store = TestNode.store(table);
    long bytesOfRows = 0;
    long bytesOfHeaderAndRange = 0;
    try (ReadOptions reading = DatabaseOptions.readingInOrder();
        RocksIterator records = store.database.iterator(store.family(), reading)) {
      for (records.seekToFirst(); records.isValid(); records.next()) {
        int length = records.value().length;
        bytesOfRows += length >= ROW_BYTES ? records.key().length + length : 0;
        boolean isHeader = bytesOfHeaderAndRange == 0;
        bytesOfHeaderAndRange +=
            length >= ROW_BYTES ? 0 : length + (isHeader ? 0 : records.key().length);
      }
    }
    List<Long> read = new ArrayList<>();
    Sweep sweep = new Sweep(store, table::metadata, FBUtilities.nowInSeconds() + 10, () -> true);
    sweep.partition(partition(table, 1), read::add);
    assertThat(TestNode.records(store)).isZero();
    assertThat(read).hasSize(rows * ROW_BYTES / (4 * HOLD_BYTES) + 1);
    assertThat(read.stream().mapToLong(Long::longValue).sum())
        .isEqualTo(bytesOfRows + read.size() * bytesOfHeaderAndRange);
  }

  /** Each hold of the lock reads it. */
  @Test
  void should_take_more_rows_at_once_when_the_static_row_is_large() throws Exception {
    node.cql(
        "CREATE TABLE twin.headed (p int, c int, s blob STATIC, v blob, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb' AND gc_grace_seconds = 0");
    fill("headed", ROWS);
    int headerBytes = 3_000_000;
    Inserts.run(
        "INSERT INTO twin.headed (p, s) VALUES (?, ?)",
        "1",
        "2",
        p -> List.of(ByteBufferUtil.bytes(p), ByteBuffer.allocate(headerBytes)));
    ColumnFamilyStore table = node.store("twin", "headed");
    List<Long> read = new ArrayList<>();
    Sweep sweep =
        new Sweep(
            TestNode.store(table), table::metadata, FBUtilities.nowInSeconds() + 10, () -> true);
    sweep.partition(partition(table, 1), read::add);
    assertThat(read).hasSize(ROWS * ROW_BYTES / headerBytes);
  }

  /** Under the lock, as long as RocksDB has not compacted them. */
  @Test
  void should_not_read_through_what_was_deleted_in_the_next_partition() throws Exception {
    node.cql(
        "CREATE TABLE twin.swept_behind (p int, c int, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb' AND gc_grace_seconds = 0");
    ColumnFamilyStore table = node.store("twin", "swept_behind");
    int[] inOrder =
        IntStream.range(1, 3)
            .mapToObj(p -> table.decorateKey(ByteBufferUtil.bytes(p)))
            .sorted()
            .mapToInt(key -> ByteBufferUtil.toInt(key.getKey()))
            .toArray();
    int deleted = 10_000;
    node.cql("INSERT INTO twin.swept_behind (p, c) VALUES (" + inOrder[0] + ", 1)");
    Inserts.run(
        "INSERT INTO twin.swept_behind (p, c) VALUES (" + inOrder[1] + ", ?)",
        "0",
        Integer.toString(deleted),
        c -> List.of(ByteBufferUtil.bytes(c)));
    new EngineControl(Engine.running()).flush("twin", "swept_behind");
    node.cql("DELETE FROM twin.swept_behind WHERE p = " + inOrder[1]);
    TableStore store = TestNode.store(table);
    // The second takes the partition deletion.
    assertThat(sweep(table, inOrder[1])).isEqualTo(deleted);
    assertThat(sweep(table, inOrder[1])).isOne();
    assertThat(skippedDeletions(() -> assertThat(TestNode.records(store)).isOne()))
        .isGreaterThanOrEqualTo(deleted);
    assertThat(skippedDeletions(() -> assertThat(sweep(table, inOrder[0])).isZero())).isZero();
  }

  private static long sweep(ColumnFamilyStore table, int p) {
    Sweep sweep =
        new Sweep(
            TestNode.store(table), table::metadata, FBUtilities.nowInSeconds() + 10, () -> true);
    assertThat(sweep.partition(partition(table, p), bytes -> true)).isTrue();
    return sweep.removed();
  }

  private static byte[] partition(ColumnFamilyStore table, int p) {
    return TestNode.store(table).keys.encode(table.decorateKey(ByteBufferUtil.bytes(p)));
  }

  private static long skippedDeletions(Runnable reading) throws RocksDBException {
    RocksDB database = Engine.running().database.rocksdb;
    database.setPerfLevel(PerfLevel.ENABLE_COUNT);
    try {
      PerfContext counts = database.getPerfContext();
      counts.reset();
      reading.run();
      return counts.getInternalDeleteSkippedCount();
    } finally {
      database.setPerfLevel(PerfLevel.DISABLE);
    }
  }

  /** By another thread: this one has no lock of the sweep only if that has none. */
  private void write(int c) {
    CompletableFuture.runAsync(
            () -> node.cql("UPDATE twin.bulky SET w = 7 WHERE p = 1 AND c = " + (ROWS + c)))
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  private static long writtenBytes() {
    return Engine.running().database.statistics().getTickerCount(TickerType.BYTES_WRITTEN);
  }

  @Test
  void should_sweep_on_when_the_table_gets_a_column_meanwhile() throws Exception {
    node.cql(
        "CREATE TABLE twin.widened (p int, c int, v int, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb' AND gc_grace_seconds = 864000");
    ColumnFamilyStore table = node.store("twin", "widened");
    TableStore store = TestNode.store(table);
    List<DecoratedKey> inOrder =
        IntStream.range(0, 3)
            .mapToObj(p -> table.decorateKey(ByteBufferUtil.bytes(p)))
            .sorted()
            .collect(Collectors.toList());
    for (DecoratedKey key : inOrder) {
      int p = ByteBufferUtil.toInt(key.getKey());
      node.cql("INSERT INTO twin.widened (p, c, v) VALUES (" + p + ", 1, 1)");
      node.cql("INSERT INTO twin.widened (p, c, v) VALUES (" + p + ", 2, 2)");
      node.cql("DELETE FROM twin.widened WHERE p = " + p + " AND c < 2");
    }
    byte[][] partitions = inOrder.stream().map(store.keys::encode).toArray(byte[][]::new);
    assertThat(Arrays.stream(partitions).map(store.locks::exclusive).distinct()).hasSize(3);
    Lock first = store.locks.exclusive(partitions[0]);
    EngineControl control = new EngineControl(Engine.running());
    FutureTask<Long> sweep = new FutureTask<>(() -> control.sweep("twin", "widened"));
    Thread sweeper = new Thread(sweep, "sweep");
    first.lock();
    try {
      sweeper.start();
      await(() -> sweeper.getState() == Thread.State.WAITING);
      node.cql("ALTER TABLE twin.widened ADD w int");
      int second = ByteBufferUtil.toInt(inOrder.get(1).getKey());
      node.cql("UPDATE twin.widened SET w = 5 WHERE p = " + second + " AND c = 2");
    } finally {
      first.unlock();
    }
    assertThat(sweep.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(3);
    assertThat(node.rows("SELECT v, w FROM twin.widened WHERE w = 5 ALLOW FILTERING"))
        .containsExactly("v=2, w=5");
    assertThat(node.rows("SELECT c FROM twin.widened")).containsOnly("c=2").hasSize(3);
  }

  @Test
  void should_remove_what_dropped_columns_had_when_nothing_was_deleted() throws Exception {
    node.cql(
        "CREATE TABLE twin.narrowed (p int, c int, s blob STATIC, v blob, m map<int, blob>, w int,"
            + " PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    node.cql("UPDATE twin.narrowed SET s = 0x01 WHERE p = 1");
    node.cql("INSERT INTO twin.narrowed (p, c, v, w) VALUES (1, 1, 0x02, 1)");
    node.cql("UPDATE twin.narrowed SET m[1] = 0x03 WHERE p = 1 AND c = 2");
    node.cql("INSERT INTO twin.narrowed (p, c, w) VALUES (1, 3, 3)");
    EngineControl control = new EngineControl(Engine.running());
    assertThat(control.sweep("twin", "narrowed")).isZero();
    node.cql("ALTER TABLE twin.narrowed DROP (s, v, m)");
    assertThat(control.sweep("twin", "narrowed")).isEqualTo(3);
    assertThat(TestNode.records(TestNode.store(node.store("twin", "narrowed")))).isEqualTo(2);
    assertThat(control.sweep("twin", "narrowed")).isZero();
    node.cql("ALTER TABLE twin.narrowed ADD v blob");
    assertThat(node.rows("SELECT c, v, w FROM twin.narrowed"))
        .containsExactly("c=1, v=null, w=1", "c=3, v=null, w=3");
  }

  /** It reads the row, of an indexed table, that another has written in between. */
  @Test
  void should_write_when_the_row_gets_a_new_column_while_the_writer_waits() throws Exception {
    node.cql("CREATE TABLE twin.swept_waited (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("CREATE INDEX swept_waited_v ON twin.swept_waited (v) USING 'legacy_local_table'");
    ColumnFamilyStore table = node.store("twin", "swept_waited");
    TestNode.awaitIndex(table);
    node.cql("INSERT INTO twin.swept_waited (k, v) VALUES (1, 1)");
    TableStore store = TestNode.store(table);
    Lock lock =
        store.locks.exclusive(store.keys.encode(table.decorateKey(ByteBufferUtil.bytes(1))));
    Mutation before = mutation(table, "v", 2);
    FutureTask<?> write = new FutureTask<>(before::apply, null);
    Thread writer = new Thread(write, "writer");
    lock.lock();
    try {
      writer.start();
      await(() -> writer.getState() == Thread.State.WAITING);
      node.cql("ALTER TABLE twin.swept_waited ADD w int");
      mutation(table, "w", 5).apply(); // by this thread, which has the lock
    } finally {
      lock.unlock();
    }
    write.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(node.rows("SELECT v, w FROM twin.swept_waited WHERE v = 2"))
        .containsExactly("v=2, w=5");
  }

  private static Mutation mutation(ColumnFamilyStore table, String column, int value) {
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table.metadata(), 1);
    update.row().add(column, value);
    return update.buildAsMutation();
  }
}
