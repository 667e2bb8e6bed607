/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.Absorb;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;

/** What is read of tables whose data files of Cassandra are taken into RocksDB. */
class AbsorbDataTest {
  private static final int WIDE = 1_200;
  private static final String FILES_STAY =
      "compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': false}";

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_answer_the_same_before_meanwhile_and_after_when_data_of_each_kind_is_absorbed() {
    Twins twins =
        moved(
            "CREATE TABLE # (p int, c int, v int, t text, m map<int, text>, l list<int>,"
                + " f frozen<set<int>>, s int STATIC, g set<int> STATIC, PRIMARY KEY (p, c))",
            FILES_STAY);
    fill(twins);
    flush(twins);
    change(twins, 20);
    flush(twins);
    // Older than what deletes it.
    twins.run(
        "INSERT INTO # (p, c, v) VALUES (1, 1, 7) USING TIMESTAMP 15",
        "INSERT INTO # (p, c, v) VALUES (2, 7, 7) USING TIMESTAMP 15",
        "UPDATE # USING TIMESTAMP 15 SET m[1] = 'late' WHERE p = 4 AND c = 6");
    flush(twins);
    assertThat(twins.rocksStore().getLiveSSTables()).hasSize(3);
    twins.moveRocksTo("rocksdb");
    change(twins, 30);
    twins.run("INSERT INTO # (p, c, v) VALUES (1, 2, 7) USING TIMESTAMP 12");
    check(twins);
    AtomicInteger steps = new AtomicInteger();
    assertThat(
            Absorb.run(
                twins.rocksStore(),
                bytes -> {
                  if (steps.incrementAndGet() % 10 == 0) {
                    check(twins);
                  }
                }))
        .isEqualTo(3);
    assertThat(steps.get()).isGreaterThan(20);
    check(twins);
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    change(twins, 40);
    check(twins);
  }

  private static void fill(Twins twins) {
    for (int p = 0; p < 9; p++) {
      for (int c = 0; c < 20; c++) {
        twins.run(
            String.format(
                "INSERT INTO # (p, c, v, t, m, l, f, s, g) VALUES (%d, %d, %d, 'text', {1: 'a', 2:"
                    + " 'b'}, [1, 2], {3, %d}, %d, {4}) USING TIMESTAMP 10",
                p, c, c, c, p));
      }
    }
    for (int c = 0; c < WIDE; c++) {
      twins.run("INSERT INTO # (p, c, v) VALUES (100, " + c + ", 1) USING TIMESTAMP 10");
    }
    twins.run("UPDATE # USING TIMESTAMP 10 SET s = 1, g = {1, 2} WHERE p = 50");
  }

  private static void change(Twins twins, int timestamp) {
    String at = " USING TIMESTAMP " + timestamp;
    int more = timestamp / 10;
    twins.run(
        "DELETE FROM #" + at + " WHERE p = " + (more == 2 ? 1 : 20 + more),
        "DELETE FROM #" + at + " WHERE p = 2 AND c > 5 AND c <= " + (9 + more),
        "DELETE FROM #" + at + " WHERE p = 3 AND c = " + more,
        "DELETE v, t FROM #" + at + " WHERE p = 4 AND c = " + (3 + more),
        "DELETE m[1] FROM #" + at + " WHERE p = 4 AND c = 6",
        "DELETE s FROM #" + at + " WHERE p = " + (5 + more),
        "UPDATE #" + at + " SET m = {7: 'new'}, g = g + {9} WHERE p = 5 AND c = " + more,
        "UPDATE #" + at + " SET m = m + {8: 'more'}, f = {1} WHERE p = 5 AND c = " + (4 + more),
        "UPDATE #" + at + " SET l = [9] WHERE p = 6 AND c = " + more,
        "UPDATE #" + at + " AND TTL 1 SET v = 1 WHERE p = 7 AND c = " + more,
        "INSERT INTO # (p, c, v) VALUES (7, " + (70 + more) + ", 1)" + at + " AND TTL 1",
        "INSERT INTO # (p, c, v) VALUES (7, " + (80 + more) + ", 1)" + at + " AND TTL 1000000",
        "DELETE FROM #" + at + " WHERE p = 100 AND c > 100 AND c < " + (900 + more),
        "DELETE FROM #" + at + " WHERE p = 100 AND c >= " + (1_100 + more));
    long written = FBUtilities.nowInSeconds();
    await(() -> FBUtilities.nowInSeconds() > written + 1);
  }

  private static void check(Twins twins) {
    twins
        .same(
            "SELECT * FROM #",
            "SELECT p, c, writetime(v), writetime(t), writetime(f) FROM #",
            "SELECT DISTINCT p, s, g, writetime(s) FROM #",
            "SELECT * FROM # WHERE p = 2 ORDER BY c DESC",
            "SELECT * FROM # WHERE p = 100 AND c > 90 AND c < 1000",
            "SELECT * FROM # WHERE p = 4 AND c = 6")
        .sameOrEmpty("SELECT * FROM # WHERE p = 1", "SELECT * FROM # WHERE p = 7 AND c = 72");
  }

  @Test
  void should_count_right_when_counters_are_absorbed_twice() {
    Twins twins = moved("CREATE TABLE # (p int PRIMARY KEY, n counter)", FILES_STAY);
    for (int round = 0; round < 2; round++) {
      for (int p = 0; p < 30; p++) {
        twins.run("UPDATE # SET n = n + " + (p + 1) + " WHERE p = " + p);
      }
      flush(twins);
    }
    twins.run("DELETE FROM # WHERE p = 3");
    flush(twins);
    twins.moveRocksTo("rocksdb");
    twins.run("UPDATE # SET n = n + 5 WHERE p = 4").same("SELECT * FROM #");
    AtomicInteger left = new AtomicInteger(20);
    assertThatThrownBy(
            () ->
                Absorb.run(
                    twins.rocksStore(),
                    bytes -> {
                      twins.run("UPDATE # SET n = n - 2 WHERE p = 4");
                      if (left.decrementAndGet() == 0) {
                        throw new IllegalStateException("ended");
                      }
                    }))
        .hasMessage("ended");
    twins.same("SELECT * FROM #");
    assertThat(Absorb.run(twins.rocksStore(), bytes -> {})).isPositive();
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    twins.run("UPDATE # SET n = n + 5 WHERE p = 7").same("SELECT * FROM #");
  }

  @Test
  void should_keep_index_and_view_equal_to_their_table() throws IOException {
    Twins twins = indexed();
    String name = twins.rocksName;
    node.cql(
        "CREATE MATERIALIZED VIEW "
            + twins.rocks
            + "_view AS SELECT p, c, v FROM "
            + twins.rocks
            + " WHERE v IS NOT NULL AND p IS NOT NULL AND c IS NOT NULL PRIMARY KEY (v, p, c) WITH "
            + FILES_STAY);
    await(() -> SystemKeyspace.isViewBuilt("twin", name + "_view"));
    ColumnFamilyStore view = node.store("twin", name + "_view");
    fillIndexed(twins, 0);
    flush(twins);
    view.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    fillIndexed(twins, 1);
    twins.moveRocksTo("rocksdb");
    node.cql("ALTER MATERIALIZED VIEW " + twins.rocks + "_view WITH memtable = 'rocksdb'");
    fillIndexed(twins, 2);
    checkIndexed(twins);
    EngineControl control = new EngineControl(Engine.running());
    assertThat(control.absorb("twin", name)).isGreaterThanOrEqualTo(4);
    checkIndexed(twins);
    assertThat(control.absorb("twin", name + "_view")).isGreaterThanOrEqualTo(2);
    for (ColumnFamilyStore each : twins.rocksStore().concatWithIndexes()) {
      assertThat(each.getLiveSSTables()).isEmpty();
    }
    assertThat(view.getLiveSSTables()).isEmpty();
    checkIndexed(twins);
    fillIndexed(twins, 3);
    checkIndexed(twins);
    assertThatThrownBy(() -> control.absorb("twin", name + "." + name + "_v"))
        .hasMessageContaining("an index is absorbed with its table");
  }

  /** Rows whose value changes from call to call, some that go and come back. */
  private static void fillIndexed(Twins twins, int round) {
    for (int p = 0; p < 20; p++) {
      for (int c = 0; c < 3; c++) {
        twins.run(
            (p + c + round) % 5 == 0
                ? String.format("DELETE FROM # WHERE p = %d AND c = %d", p, c)
                : String.format(
                    "INSERT INTO # (p, c, v) VALUES (%d, %d, %d)", p, c, (p + round) % 4));
      }
    }
  }

  private void checkIndexed(Twins twins) {
    twins.same("SELECT * FROM #");
    for (int v = 0; v < 4; v++) {
      String where = " WHERE v = " + v;
      List<String> expected =
          node.rows("SELECT p, c, v FROM " + twins.stock + where + " ALLOW FILTERING");
      assertThat(node.rows("SELECT p, c, v FROM " + twins.rocks + where))
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(node.rows("SELECT p, c, v FROM " + twins.rocks + "_view" + where))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void should_purge_again_when_neither_a_reader_nor_the_commit_log_has_the_files()
      throws IOException {
    Twins twins =
        moved(
            "CREATE TABLE # (p int, c int, v int, PRIMARY KEY (p, c))",
            FILES_STAY + " AND gc_grace_seconds = 0");
    twins.run("INSERT INTO # (p, c, v) VALUES (1, 1, 1)", "INSERT INTO # (p, c) VALUES (2, 1)");
    flush(twins);
    twins.moveRocksTo("rocksdb");
    twins.run("DELETE FROM # WHERE p = 1", "DELETE FROM # WHERE p = 2 AND c = 1");
    long deleted = FBUtilities.nowInSeconds();
    await(() -> FBUtilities.nowInSeconds() > deleted + 1);
    sweep(twins);
    assertThat(records(twins)).isPositive();
    assertThat(Absorb.run(twins.rocksStore(), bytes -> {})).isEqualTo(1);
    sweep(twins);
    assertThat(records(twins)).as("a start would replay the rows").isPositive();
    CommitLog.instance.forceRecycleAllSegments();
    await(
        () -> {
          sweep(twins);
          return records(twins) == 0;
        });
    twins.sameOrEmpty("SELECT * FROM #");
  }

  @Test
  void should_absorb_what_nodetool_imports() throws Exception {
    Twins twins = toBeGiven();
    Path files = snapshot(twins);
    twins
        .rocksStore()
        .importNewSSTables(Set.of(files.toString()), true, true, true, true, true, true, true);
    checkGiven(twins);
  }

  @Test
  @SuppressWarnings("deprecation") // which nodetool calls
  void should_absorb_what_nodetool_refresh_finds_in_the_directory_of_the_table() throws Exception {
    Twins twins = toBeGiven();
    Path directory = twins.rocksStore().getDirectories().getDirectoryForNewSSTables().toPath();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(snapshot(twins), "??-*")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        Files.copy(file, directory.resolve(name.replaceFirst("-", "-100")));
      }
    }
    assertThat(node.rows("SELECT * FROM " + twins.rocks)).isEmpty();
    // They are not taken for what a stream has left.
    for (int round = 0; round < 3; round++) {
      Engine.running().temporaryFiles.deleteUnread();
    }
    StorageService.instance.loadNewSSTables("twin", twins.rocksName);
    checkGiven(twins);
  }

  /** Twins of which the second has nothing; it has given streams. */
  private Twins toBeGiven() {
    Twins twins = indexed();
    twins.moveRocksTo("rocksdb");
    fillIndexed(twins, 1);
    TemporaryFilesTest.write(twins.rocksStore()).close();
    await(
        () -> {
          Engine.running().temporaryFiles.deleteUnread();
          return TemporaryFilesTest.dataFiles(twins.rocksStore()).isEmpty();
        });
    flushStock(twins);
    twins.run("DELETE FROM # WHERE p = 3", "INSERT INTO # (p, c, v) VALUES (4, 1, 2)");
    node.cql("TRUNCATE " + twins.rocks);
    return twins;
  }

  /** All that the first has, as data files. */
  private Path snapshot(Twins twins) {
    ColumnFamilyStore stock = flushStock(twins);
    stock.snapshot("given");
    Path directory = stock.getDirectories().getDirectoryForNewSSTables().toPath();
    return directory.resolve("snapshots").resolve("given");
  }

  private ColumnFamilyStore flushStock(Twins twins) {
    ColumnFamilyStore stock = node.store("twin", twins.stock.substring("twin.".length()));
    stock.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    return stock;
  }

  private void checkGiven(Twins twins) throws IOException {
    assertThat(twins.rocksStore().getLiveSSTables()).hasSize(2);
    assertThat(TestNode.store(twins.rocksStore()).family()).as("rows in RocksDB").isNull();
    checkGivenRows(twins);
    EngineControl control = new EngineControl(Engine.running());
    assertThat(control.absorb("twin", twins.rocksName)).isPositive();
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    assertThat(records(twins)).isPositive();
    checkGivenRows(twins);
  }

  private void checkGivenRows(Twins twins) {
    twins.same("SELECT * FROM #");
    List<String> expected =
        node.rows("SELECT p, c FROM " + twins.stock + " WHERE v = 2 ALLOW FILTERING");
    assertThat(node.rows("SELECT p, c FROM " + twins.rocks + " WHERE v = 2"))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** As {@link #moved}, with a legacy index, which has the memtable that its table had first. */
  private Twins indexed() {
    Twins twins = new Twins("CREATE TABLE # (p int, c int, v int, PRIMARY KEY (p, c))", FILES_STAY);
    node.cql(
        "CREATE INDEX "
            + twins.rocksName
            + "_v ON "
            + twins.rocks
            + " (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(twins.rocksStore());
    twins.moveRocksTo("default");
    return twins;
  }

  /** Twins of which the second is on Cassandra's own memtable until {@link Twins#moveRocksTo}. */
  private Twins moved(String create, String options) {
    Twins twins = new Twins(create, options);
    twins.moveRocksTo("default");
    return twins;
  }

  private void flush(Twins twins) {
    twins.rocksStore().forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
  }

  private void sweep(Twins twins) throws IOException {
    new EngineControl(Engine.running()).sweep("twin", twins.rocksName);
  }

  private static int records(Twins twins) {
    return TestNode.records(TestNode.memtable(twins.rocksStore()).store());
  }
}
