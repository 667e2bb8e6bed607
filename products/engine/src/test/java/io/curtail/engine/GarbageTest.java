/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.NativeIterators;
import io.curtail.engine.table.Sweep;
import io.curtail.engine.table.TableStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;

/** What leaves the store, what stays, and what is closed when Cassandra forgets to. */
class GarbageTest {
  private static final long MOST_GROWTH_BYTES = 48L << 20;

  /** Rows of a partition that a sweep takes in several parts. */
  private static final int LONG = 4_500;

  @Test
  void should_keep_tombstones_and_remove_what_they_shadow_when_grace_has_not_passed() {
    Twins twins = filled("gc_grace_seconds = 864000");
    RocksMemtable memtable = memtable(twins);
    int before = records(memtable);
    sweep(memtable);
    assertThat(records(memtable)).isLessThan(before);
    twins.same("SELECT * FROM #");
    twins.run(
        "INSERT INTO # (p, c, v) VALUES (1, 1, 9) USING TIMESTAMP 5",
        "INSERT INTO # (p, c, v) VALUES (2, 7, 9) USING TIMESTAMP 5",
        "UPDATE # USING TIMESTAMP 5 SET v = 9 WHERE p = 2 AND c = 5");
    twins.same("SELECT * FROM #").sameOrEmpty("SELECT * FROM # WHERE p = 1");
  }

  @Test
  void should_leave_nothing_when_grace_has_passed() throws InterruptedException {
    Twins twins = filled("gc_grace_seconds = 0");
    twins.run(
        "DELETE FROM # WHERE p = 2",
        "INSERT INTO # (p, c, v) VALUES (3, 1, 1) USING TTL 1",
        "UPDATE # USING TTL 1 SET m[1] = 2 WHERE p = 4 AND c = 4");
    Thread.sleep(2_100);
    RocksMemtable memtable = memtable(twins);
    sweep(memtable);
    assertThat(records(memtable)).isZero();
    twins.sameOrEmpty("SELECT * FROM #");
  }

  @Test
  void should_keep_tombstones_when_older_rows_are_in_data_files() throws InterruptedException {
    Twins twins = filled("gc_grace_seconds = 0");
    twins.moveRocksTo("default");
    twins.rocksStore().forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
    twins.moveRocksTo("rocksdb");
    twins.run("DELETE FROM # WHERE p = 2 AND c = 0", "DELETE FROM # WHERE p = 1");
    Thread.sleep(1_100);
    sweep(memtable(twins));
    twins.sameOrEmpty("SELECT * FROM #");
    assertThat(records(memtable(twins))).isPositive();
  }

  @Test
  void should_leave_only_live_rows_of_a_long_partition_when_grace_has_passed() {
    Twins twins = withDeletedRanges("gc_grace_seconds = 0");
    long deleted = FBUtilities.nowInSeconds();
    await(() -> FBUtilities.nowInSeconds() > deleted + 2);
    RocksMemtable memtable = memtable(twins);
    sweep(memtable);
    twins.same("SELECT c, v, s FROM #", "SELECT c FROM # WHERE p = 1 AND c = 5000");
    twins.sameOrEmpty("SELECT c FROM # WHERE p = 1 AND c = 4000");
    assertThat(records(memtable)).isEqualTo(LONG - 100 - 200 - 500);
  }

  @Test
  void should_keep_ranges_of_a_long_partition_when_grace_has_not_passed() {
    Twins twins = withDeletedRanges("gc_grace_seconds = 864000");
    sweep(memtable(twins));
    assertThat(records(memtable(twins))).isLessThan(LONG);
    for (int c : new int[] {-1, 0, 199, 200, 400, 3_799, 3_999, 4_000, 4_199, 7_999, 8_200}) {
      twins.run("INSERT INTO # (p, c, v) VALUES (1, " + c + ", 9) USING TIMESTAMP 4");
      twins.run("UPDATE # USING TIMESTAMP 15 SET v = 10 WHERE p = 1 AND c = " + (2 * LONG + c));
      twins.sameOrEmpty("SELECT c, v FROM # WHERE p = 1 AND c = " + c);
    }
    twins.same("SELECT c, v FROM #", "SELECT c, v FROM # WHERE p = 1 AND c >= 0");
  }

  @Test
  void should_hide_what_is_written_between_two_parts_of_a_long_partition() {
    Twins twins = withDeletedRanges("gc_grace_seconds = 0");
    TableStore store = memtable(twins).store();
    TableMetadata metadata = twins.rocksStore().metadata();
    AtomicInteger parts = new AtomicInteger();
    Sweep sweep =
        new Sweep(
            store,
            () -> metadata,
            FBUtilities.nowInSeconds() + 10,
            () -> {
              if (parts.incrementAndGet() == 2) {
                insertOld(twins);
              }
              return true;
            });
    DecoratedKey key = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(1));
    assertThat(sweep.partition(store.keys.encode(key), bytes -> true)).isTrue();
    assertThat(parts.get()).isGreaterThan(2);
    twins.same("SELECT c, v FROM #");
  }

  @Test
  void should_let_compactions_remove_files_while_a_sweep_goes_on() throws Exception {
    Twins twins = filled("gc_grace_seconds = 864000");
    EngineControl control = new EngineControl(Engine.running());
    control.flush("twin", twins.rocksName);
    twins.run("DELETE FROM # WHERE p = 2 AND c = 0", "DELETE FROM # WHERE p = 1 AND c = 0");
    control.flush("twin", twins.rocksName);
    TableStore store = memtable(twins).store();
    DecoratedKey last = twins.rocksStore().decorateKey(ByteBufferUtil.bytes(2));
    Lock lock = store.locks.exclusive(store.keys.encode(last));
    FutureTask<Long> sweep = new FutureTask<>(() -> control.sweep("twin", twins.rocksName));
    Thread sweeper = new Thread(sweep, "sweep");
    lock.lock();
    try {
      sweeper.start();
      await(() -> sweeper.getState() == Thread.State.WAITING);
      control.compact("twin", twins.rocksName);
      await(() -> store.property("rocksdb.total-sst-files-size") == store.fileBytes());
      assertThat(sweep).isNotDone();
    } finally {
      lock.unlock();
    }
    assertThat(sweep.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isPositive();
  }

  @Test
  void should_leave_nothing_open_when_cassandra_drops_iterators_without_closing_them()
      throws IOException {
    RocksMemtable memtable = withLongPartition();
    long before = NativeIterators.open();
    iterate(memtable, before);
    long least = Long.MAX_VALUE;
    // What the heap takes comes once; what leaks comes each time.
    for (int round = 0; round < 4 && least >= MOST_GROWTH_BYTES; round++) {
      long resident = residentBytes();
      iterate(memtable, before);
      least = Math.min(least, residentBytes() - resident);
    }
    assertThat(least).isLessThan(MOST_GROWTH_BYTES);
  }

  /** Opens 100,000 iterators of which a tenth is never closed; returns when none is open. */
  private static void iterate(RocksMemtable memtable, long before) {
    DecoratedKey key = memtable.metadata().partitioner.decorateKey(ByteBufferUtil.bytes(7));
    List<UnfilteredRowIterator> held = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      UnfilteredRowIterator rows =
          memtable.rowIterator(
              key,
              Slices.ALL,
              ColumnFilter.all(memtable.metadata()),
              i % 2 == 0,
              SSTableReadsListener.NOOP_LISTENER);
      assertThat(rows.hasNext()).isTrue();
      if (i < 50) {
        held.add(rows);
      } else if (i % 10 != 0) {
        rows.close();
      }
    }
    assertThat(NativeIterators.open()).isGreaterThanOrEqualTo(held.size());
    held.clear();
    await(
        () -> {
          System.gc();
          return NativeIterators.open() <= before;
        });
  }

  private RocksMemtable withLongPartition() {
    Twins twins = filled("gc_grace_seconds = 0");
    for (int c = 100; c < 300; c++) {
      twins.run("INSERT INTO # (p, c, v) VALUES (7, " + c + ", 1)");
    }
    return memtable(twins);
  }

  private static long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("no VmRSS in /proc/self/status");
  }

  private static Twins filled(String options) {
    Twins twins =
        new Twins(
            "CREATE TABLE # (p int, c int, v int, s int STATIC, m map<int, int>, PRIMARY KEY (p,"
                + " c))",
            options);
    for (int p = 1; p < 3; p++) {
      for (int c = 0; c < 10; c++) {
        twins.run(
            String.format("INSERT INTO # (p, c, v, s, m) VALUES (%d, %d, 1, 2, {1: 1})", p, c));
      }
    }
    return twins.run(
        "DELETE FROM # WHERE p = 1",
        "DELETE FROM # WHERE p = 2 AND c > 5",
        "DELETE FROM # WHERE p = 2 AND c > 2 AND c < 5",
        "DELETE FROM # WHERE p = 2 AND c = 5",
        "DELETE v FROM # WHERE p = 2 AND c = 1");
  }

  /**
   * Rows that older deletions cover, from behind the last that is swept in one go, where none was;
   * by this thread, which may have the partition's lock.
   */
  private static void insertOld(Twins twins) {
    for (String table : new String[] {twins.stock, twins.rocks}) {
      TableMetadata metadata = Schema.instance.getTableMetadata("twin", table.substring(5));
      for (int c = 2 * 2_000 - 1; c < 2 * LONG; c += 2) {
        PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(metadata, 1);
        update.timestamp(4).row(c).add("v", 9);
        update.buildAsMutation().apply();
      }
    }
  }

  /**
   * A partition of live rows with a deletion before all, others of rows at several places, and a
   * static cell that has expired soon.
   */
  private static Twins withDeletedRanges(String options) {
    Twins twins =
        new Twins(
            "CREATE TABLE # (p int, c int, v int, s int STATIC, PRIMARY KEY (p, c))", options);
    for (int from = 0; from < LONG; from += 500) {
      StringBuilder rows = new StringBuilder("BEGIN UNLOGGED BATCH USING TIMESTAMP 10 ");
      for (int row = from; row < from + 500; row++) {
        rows.append("INSERT INTO # (p, c, v) VALUES (1, ").append(2 * row).append(", 1); ");
      }
      twins.run(rows.append("APPLY BATCH").toString());
    }
    return twins.run(
        "DELETE FROM # USING TIMESTAMP 5 WHERE p = 1 AND c > -100",
        "DELETE FROM # USING TIMESTAMP 20 WHERE p = 1 AND c >= 200 AND c < 400",
        "DELETE FROM # USING TIMESTAMP 20 WHERE p = 1 AND c > 3799 AND c <= 4199",
        "DELETE FROM # USING TIMESTAMP 20 WHERE p = 1 AND c >= 8000",
        "UPDATE # USING TTL 1 SET s = 1 WHERE p = 1");
  }

  private static RocksMemtable memtable(Twins twins) {
    return TestNode.memtable(twins.rocksStore());
  }

  private static void sweep(RocksMemtable memtable) {
    Engine.running().sweeper.sweep(memtable);
  }

  private static int records(RocksMemtable memtable) {
    return TestNode.records(memtable.store());
  }
}
