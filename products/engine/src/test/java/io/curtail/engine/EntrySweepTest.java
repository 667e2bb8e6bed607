/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.log.LogSegment;
import io.curtail.engine.operation.StoredTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.Memtable;
import org.junit.jupiter.api.Test;

/** Entries of legacy indexes whose rows are gone. */
class EntrySweepTest {
  private static final String TABLE =
      "CREATE TABLE # (p int, c int, v int, s int STATIC, m map<int, int>, l list<int>,"
          + " PRIMARY KEY (p, c))";

  @Test
  void should_remove_the_entries_of_rows_that_are_gone_and_no_other() throws IOException {
    Twins twins = new Twins(TABLE);
    twins.index("v", "v");
    twins.index("c", "c");
    twins.index("s", "s");
    twins.index("keys", "keys(m)");
    twins.index("entries", "entries(m)");
    twins.index("values", "values(l)");
    fill(twins);
    twins.run(
        "DELETE FROM # WHERE p = 1",
        "DELETE FROM # WHERE p = 2 AND c = 3",
        "DELETE FROM # WHERE p = 2 AND c > 6",
        "DELETE v FROM # WHERE p = 3 AND c = 3",
        "INSERT INTO # (p, c, v, m, l) VALUES (1, 1, 0, {1: 1}, [1])");
    for (String index : List.of("v", "keys", "entries", "values")) {
      assertThat(sweep(twins, index)).as(index).isEqualTo(9 + 1 + 3);
    }
    // It takes row deletions by itself.
    assertThat(sweep(twins, "c")).isEqualTo(9 + 3);
    assertThat(sweep(twins, "s")).isEqualTo(1);
    for (String index : List.of("v", "keys", "entries", "values", "c", "s")) {
      assertThat(sweep(twins, index)).as(index).isZero();
    }
    check(twins);
    fill(twins);
    check(twins);
    twins.same("SELECT * FROM # WHERE s = 1");
  }

  @Test
  void should_leave_entries_alone_while_their_table_is_elsewhere() throws IOException {
    Twins twins = new Twins(TABLE);
    twins.index("v", "v");
    fill(twins);
    twins.run("DELETE FROM # WHERE p = 1");
    twins.moveRocksTo("default");
    fill(twins);
    twins.run("DELETE FROM # WHERE p = 2 AND c > 6");
    assertThat(memtable(twins, "v")).isInstanceOf(StoredTable.class);
    assertThat(TestNode.records(((StoredTable) memtable(twins, "v")).store())).isPositive();
    assertThat(sweep(twins, "v")).isZero();
    twins.same("SELECT * FROM # WHERE v = 0");
    twins.moveRocksTo("rocksdb");
    fill(twins);
    assertThat(sweep(twins, "v")).isZero();
    twins.same("SELECT * FROM # WHERE v = 0");
  }

  @Test
  void should_bring_the_log_to_the_disk_before_entries_are_looked_at() throws IOException {
    Twins twins = new Twins(TABLE);
    twins.index("v", "v");
    StoredTable memtable = (StoredTable) memtable(twins, "v");
    Path log = Path.of(memtable.store().database.directory, "log");
    boolean wasBehind = false;
    // The log is synced each second by itself.
    for (int i = 0; i < 100 && !wasBehind; i++) {
      twins.run("INSERT INTO # (p, c, v) VALUES (1, 1, " + i + ")");
      wasBehind = !isSynced(log);
      assertThat(Engine.running().sweeper.sweepEntries(memtable)).isZero();
      assertThat(isSynced(log)).isTrue();
    }
    assertThat(wasBehind).isTrue();
  }

  /** Whether no segment has more than what is synced; nobody writes. */
  private static boolean isSynced(Path log) throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files.allMatch(EntrySweepTest::isSegmentSynced);
    }
  }

  private static boolean isSegmentSynced(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return true; // given back
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    ByteBuffer segment = ByteBuffer.wrap(bytes);
    return end <= LogSegment.HEADER_BYTES
        || LogSegment.synced(segment, segment.getLong(Long.BYTES)) >= end;
  }

  private static void fill(Twins twins) {
    for (int p = 0; p < 4; p++) {
      twins.run("UPDATE # SET s = " + p + " WHERE p = " + p);
      for (int c = 0; c < 10; c++) {
        twins.run(
            String.format(
                "INSERT INTO # (p, c, v, m, l) VALUES (%d, %d, %d, {%d: 1}, [%d])",
                p, c, c % 3, c, c));
      }
    }
  }

  private static void check(Twins twins) {
    twins.same(
        "SELECT * FROM # WHERE v = 0",
        "SELECT * FROM # WHERE v = 1",
        "SELECT * FROM # WHERE c = 1",
        "SELECT * FROM # WHERE c = 7",
        "SELECT * FROM # WHERE s = 2",
        "SELECT * FROM # WHERE m CONTAINS KEY 1",
        "SELECT * FROM # WHERE m[7] = 1",
        "SELECT * FROM # WHERE l CONTAINS 3");
    twins.sameOrEmpty("SELECT * FROM # WHERE s = 1");
  }

  private long sweep(Twins twins, String index) throws IOException {
    String name = twins.rocksName + "_" + index;
    StoredTable memtable = (StoredTable) memtable(twins, index);
    long entries = Engine.running().sweeper.sweepEntries(memtable);
    EngineControl control = new EngineControl(Engine.running());
    assertThat(control.sweep("twin", twins.rocksName + "." + name)).isNotNegative();
    return entries;
  }

  private static Memtable memtable(Twins twins, String index) {
    ColumnFamilyStore table = twins.rocksStore();
    return table
        .indexManager
        .getIndexByName(twins.rocksName + "_" + index)
        .getBackingTable()
        .orElseThrow()
        .getCurrentMemtable();
  }
}
