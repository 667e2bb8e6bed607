/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.synced;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.Absorb;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.junit.jupiter.api.Test;

/** Data files that become files of RocksDB, beside writers, kills and what cannot be in one. */
class IngestTest {
  private static final String FILES_STAY =
      "compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': false}";
  private static final int ROWS = 300;
  private static final int FILES = 15;

  private final EmbeddedNode node = TestNode.start();

  /** One that reads a record to write it back must not write it over what came meanwhile. */
  @Test
  void should_lose_no_write_when_rows_are_read_and_written_back_meanwhile() throws Exception {
    Twins twins = new Twins("CREATE TABLE # (p int PRIMARY KEY, v int, i int, w text)", FILES_STAY);
    twins.index("i", "i");
    twins.moveRocksTo("default");
    for (int file = 0; file < FILES; file++) {
      for (int p = 0; p < ROWS; p++) {
        twins.run("UPDATE # SET v = " + file + ", w = '" + "w".repeat(50) + "' WHERE p = " + p);
      }
      twins.rocksStore().forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    }
    twins.moveRocksTo("rocksdb");
    absorbUnderWrites(twins);
    twins.same("SELECT * FROM #");
  }

  private static void absorbUnderWrites(Twins twins) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger writes = new AtomicInteger();
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<?> writing =
          writer.submit(
              () -> {
                for (int i = 0; !ended.get() || i < ROWS; i++) {
                  twins.run("UPDATE # SET i = " + i % 5 + " WHERE p = " + i % ROWS);
                  writes.incrementAndGet();
                }
              });
      await(() -> writes.get() > 0);
      assertThat(Absorb.run(twins.rocksStore(), bytes -> {})).isGreaterThanOrEqualTo(FILES);
      ended.set(true);
      writing.get();
    } finally {
      writer.shutdownNow();
    }
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
  }

  @Test
  void should_take_ranges_and_rows_that_sort_otherwise_when_no_file_can_have_them() {
    Twins twins =
        new Twins("CREATE TABLE # (p int, c double, v int, PRIMARY KEY (p, c))", FILES_STAY);
    twins.moveRocksTo("default");
    for (int p = 0; p < 3; p++) {
      for (int c = 0; c < 1_300; c++) {
        twins.run(String.format("INSERT INTO # (p, c, v) VALUES (%d, %d, 1)", p, c));
      }
    }
    for (int c = 0; c < 1_300; c += 2) {
      twins.run(String.format("DELETE FROM # WHERE p = 1 AND c > %d.5 AND c < %d.5", c, c + 1));
    }
    twins.run("DELETE FROM # WHERE p = 7 AND c < 3", "DELETE FROM # WHERE p = 8");
    // Behind all others for Cassandra, before them by its bits.
    String nan = "blobAsDouble(0xfff8000000000000)";
    node.cql("INSERT INTO " + twins.rocks + " (p, c, v) VALUES (2, " + nan + ", 2)");
    flushToOlderFormat(twins);
    twins.moveRocksTo("rocksdb");
    twins.run("INSERT INTO # (p, c, v) VALUES (7, 2, 1) USING TIMESTAMP 5");
    assertThat(Absorb.run(twins.rocksStore(), bytes -> {})).isEqualTo(1);
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    String found = "SELECT p, v FROM " + twins.rocks + " WHERE v = 2 ALLOW FILTERING";
    assertThat(node.rows(found)).containsExactly("p=2, v=2");
    node.cql("DELETE FROM " + twins.rocks + " WHERE p = 2 AND c = " + nan);
    twins.same("SELECT * FROM #").sameOrEmpty("SELECT * FROM # WHERE p IN (7, 8)");
  }

  /** The newer one refuses to write what does not sort by its bits. */
  private static void flushToOlderFormat(Twins twins) {
    SSTableFormat<?, ?> usual = DatabaseDescriptor.getSelectedSSTableFormat();
    DatabaseDescriptor.setSelectedSSTableFormat(DatabaseDescriptor.getSSTableFormats().get("big"));
    try {
      twins.rocksStore().forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    } finally {
      DatabaseDescriptor.setSelectedSSTableFormat(usual);
    }
  }

  @Test
  void should_leave_no_file_when_it_is_ended() throws IOException {
    if (MergeLibrary.isMissing()) {
      return; // rows are written one by one
    }
    Twins twins = new Twins("CREATE TABLE # (p int PRIMARY KEY, v text)", FILES_STAY);
    twins.moveRocksTo("default");
    for (int p = 0; p < ROWS; p++) {
      twins.run("INSERT INTO # (p, v) VALUES (" + p + ", '" + "v".repeat(50) + "')");
    }
    twins.rocksStore().forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    twins.moveRocksTo("rocksdb");
    AtomicInteger left = new AtomicInteger(ROWS / 2);
    assertThatThrownBy(
            () ->
                Absorb.run(
                    twins.rocksStore(),
                    bytes -> {
                      if (left.decrementAndGet() == 0) {
                        throw new IllegalStateException("ended");
                      }
                    }))
        .hasMessage("ended");
    assertThat(files(Path.of(Engine.running().database.directory))).isEmpty();
    assertThat(TestNode.records(TestNode.memtable(twins.rocksStore()).store())).isZero();
    twins.same("SELECT * FROM #");
  }

  private static List<Path> files(Path database) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(database.resolve("ingested"))) {
      found.forEach(files::add);
    }
    return files;
  }

  /** A start writes again what the log has: rows of before the file came, as they were then. */
  @Test
  void should_have_rows_of_both_when_the_node_dies_after_it() throws IOException {
    NodeSettings settings = settings("ingested");
    try (NodeProcess killed = NodeProcess.start(settings)) {
      killed.cql(KEYSPACE);
      killed.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      killed.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
      moveIn(killed);
      killed.kill();
    }
    try (NodeProcess killed = NodeProcess.start(settings)) { // the index is in RocksDB from here on
      for (int k = 0; k < 100; k++) {
        killed.cql("UPDATE k.t SET v = 77 WHERE k = " + k);
      }
      assertThat(call(killed, "absorb k t")).isNotEqualTo(List.of("0"));
      assertThat(call(killed, "dataFiles k t")).containsExactly("0");
      killed.kill();
    }
    try (NodeProcess again = NodeProcess.start(settings)) {
      assertThat(again.cql("SELECT k FROM k.t WHERE v = 77")).hasSize(100);
      assertWhole(again);
    }
  }

  /** So it is left if RocksDB could not sync its MANIFEST: it deletes the file that this names. */
  @Test
  void should_start_when_rocksdb_has_noted_a_file_and_then_deleted_it() throws IOException {
    if (MergeLibrary.isMissing()) {
      return;
    }
    NodeSettings settings = settings("noted");
    try (NodeProcess killed = NodeProcess.start(settings)) {
      killed.cql(KEYSPACE);
      killed.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      moveIn(killed);
      assertThat(call(killed, "absorb k t")).isNotEqualTo(List.of("0"));
      call(killed, "flushRocks k t"); // so that no file is only half written
      killed.kill();
    }
    Path database = settings.directory().resolve("data/curtail-rocksdb");
    Path noted = newest(database);
    Path aside = Files.move(noted, database.resolve("aside"));
    Files.write(database.resolve("ingested/a.sst"), new byte[(int) Files.size(aside)]);
    assertThatThrownBy(() -> NodeProcess.start(settings).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(noted.getFileName().toString());
    assertThat(noted).doesNotExist();
    Files.move(aside, database.resolve("ingested/kept.sst"));
    try (NodeProcess again = NodeProcess.start(settings)) {
      assertWhole(again);
      assertThat(files(database)).isEmpty();
    }
  }

  private static NodeSettings settings(String directory) throws IOException {
    Map<String, String> parameters = TestNode.parameters(Map.of("ingest_from", "1KiB"));
    return synced(
        TestNode.guarded(TestNode.newDirectory(directory))
            .memtable("rocksdb", RocksMemtable.class.getName(), parameters));
  }

  /** Rows, which stay in a data file of Cassandra. */
  private static void moveIn(NodeProcess node) throws IOException {
    call(node, "fill k.t 0 100");
    node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
    await(() -> !call(node, "dataFiles k t").equals(List.of("0")));
  }

  private static void assertWhole(NodeProcess node) throws IOException {
    assertThat(node.cql("SELECT padding FROM k.t"))
        .hasSize(100)
        .noneMatch(row -> row.contains("null"));
  }

  private static Path newest(Path database) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(database, "*.sst")) {
      Path newest = null;
      for (Path file : found) {
        newest = newest == null || newest.compareTo(file) < 0 ? file : newest;
      }
      assertThat(newest).isNotNull();
      return newest;
    }
  }
}
