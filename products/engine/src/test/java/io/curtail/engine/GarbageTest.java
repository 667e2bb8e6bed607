/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.NativeIterators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;

/** What leaves the store, what stays, and what is closed when Cassandra forgets to. */
class GarbageTest {
  private static final long MOST_GROWTH_BYTES = 48L << 20;

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
    assertThat(NativeIterators.open()).isGreaterThanOrEqualTo(before + held.size());
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
