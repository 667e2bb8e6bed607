/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.TemporaryFiles;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.NodeMarker;
import io.curtail.engine.store.TemporaryTables;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.concurrent.Refs;
import org.junit.jupiter.api.Test;

/** What Cassandra writes of a table in RocksDB to stream or validate it, and forgets. */
class TemporaryFilesTest {
  private static final String ROWS = "3000";

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_delete_a_file_when_its_stream_is_over_and_not_before() {
    ColumnFamilyStore store = create("streamed");
    TemporaryFiles files = Engine.running().temporaryFiles;
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).hasSize(1);
      for (int round = 0; round < 3; round++) {
        files.deleteUnread();
        assertThat(dataFiles(store)).hasSize(1);
      }
    }
    deleteUntil(() -> dataFiles(store).isEmpty());
    assertThat(node.rows("SELECT k FROM twin.streamed")).containsExactly("k=1");
  }

  /** As of a disk that is almost full. */
  @Test
  void should_delete_the_file_of_a_stream_that_fails_when_it_has_long_not_changed() {
    ColumnFamilyStore store = create("failed");
    long before = DatabaseDescriptor.getMinFreeSpacePerDriveInMebibytes();
    DatabaseDescriptor.setMinFreeSpacePerDriveInMebibytes(1 << 30);
    try {
      assertThatThrownBy(() -> write(store))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make room");
    } finally {
      DatabaseDescriptor.setMinFreeSpacePerDriveInMebibytes(before);
    }
    assertThat(dataFiles(store)).hasSize(1);
    File others = makeOld(store);
    assertThat(dataFiles(store)).hasSize(2);
    TemporaryFiles files = Engine.running().temporaryFiles;
    await(
        () -> {
          System.gc();
          files.deleteUnread();
          return dataFiles(store).size() == 1;
        });
    assertThat(others.exists()).isTrue();
    others.delete();
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).hasSize(1);
    }
  }

  /** Those that are begun are an earlier process's, as far as this one knows. */
  @Test
  void should_delete_all_files_of_a_table_that_is_dropped_when_nobody_reads_them() {
    ColumnFamilyStore store = create("streamed_last");
    TemporaryTables tables = Engine.running().database.temporaryTables;
    TemporaryFiles files = Engine.running().temporaryFiles;
    String table = FamilyName.table(store.metadata());
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).hasSize(1);
      makeOld(store);
      node.cql("DROP TABLE twin.streamed_last");
      deleteUntil(() -> dataFiles(store).size() == 1);
      files.deleteUnread();
      assertThat(dataFiles(store)).isNotEmpty();
      assertThat(tables.all()).contains(table);
    }
    deleteUntil(() -> !tables.all().contains(table));
    assertThat(dataFiles(store)).isEmpty();
  }

  /** It would bring back what was in the table when they were written. */
  @Test
  @SuppressWarnings("deprecation") // which nodetool calls
  void should_refuse_nodetool_refresh_while_a_file_is_there_and_then_find_none() {
    ColumnFamilyStore store = create("refreshed");
    Engine.running().watch.look();
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).hasSize(1);
      node.cql("TRUNCATE twin.refreshed");
      assertThatThrownBy(() -> StorageService.instance.loadNewSSTables("twin", "refreshed"))
          .hasMessageContaining("twin.refreshed has files of a stream or a repair");
      assertThat(dataFiles(store)).hasSize(1);
    }
    deleteUntil(() -> dataFiles(store).isEmpty());
    StorageService.instance.loadNewSSTables("twin", "refreshed");
    assertThat(node.rows("SELECT k FROM twin.refreshed")).isEmpty();
  }

  @Test
  void should_leave_nothing_of_the_engine_when_all_that_was_streamed_is_dropped()
      throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("streamed"));
    Path marker = settings.directory().resolve("data/" + NodeMarker.NAME);
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      TestNode.call(node, "writeTemporaryFile k t");
      assertThat(dataFiles(settings)).hasSize(1);
      node.cql("DROP TABLE k.t");
      await(
          () -> {
            TestNode.call(node, "deleteTemporaryFiles");
            return !Files.exists(marker);
          });
      assertThat(dataFiles(settings)).isEmpty();
      node.stop();
    }
    NodeProcess.start(TestNode.plain(settings.directory())).close();
  }

  /** Of the second there was a stream that found nothing to send. */
  @Test
  void should_leave_nothing_of_the_engine_when_all_that_was_streamed_has_moved_out()
      throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("streamed_out"));
    Path marker = settings.directory().resolve("data/" + NodeMarker.NAME);
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      for (String table : List.of("t", "u")) {
        node.cql("CREATE TABLE k." + table + " (k int PRIMARY KEY, v int) WITH memtable='rocksdb'");
      }
      node.cql("INSERT INTO k.t (k, v) VALUES (1, 2)");
      node.cql("UPDATE k.u SET v = 1 WHERE k = 1");
      node.cql("ALTER TABLE k.u DROP v");
      for (String table : List.of("t", "u")) {
        TestNode.call(node, "writeTemporaryFile k " + table);
        node.cql("ALTER TABLE k." + table + " WITH memtable = 'default'");
      }
      await(
          () -> {
            TestNode.call(node, "deleteTemporaryFiles");
            return !Files.exists(marker);
          });
      assertThat(node.cql("SELECT k, v FROM k.t")).containsExactly("k=1, v=2");
      node.stop();
    }
    try (NodeProcess node = NodeProcess.start(TestNode.plain(settings.directory()))) {
      assertThat(node.cql("SELECT k, v FROM k.t")).containsExactly("k=1, v=2");
    }
  }

  /** One that is over would be forgotten, as the table has nothing in RocksDB any more. */
  @Test
  void should_remember_a_table_that_has_moved_out_while_a_file_of_it_is_read() {
    ColumnFamilyStore store = create("read_still");
    TemporaryTables tables = Engine.running().database.temporaryTables;
    TemporaryFiles files = Engine.running().temporaryFiles;
    String table = FamilyName.table(store.metadata());
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).hasSize(1);
      node.cql("ALTER TABLE twin.read_still WITH memtable = 'default'");
      await(() -> !Engine.hasRowsOf(store.metadata()));
      files.deleteUnread();
      files.deleteUnread();
      assertThat(tables.all()).contains(table);
    }
    // Whose it is cannot be read before it is whole.
    File unended =
        new File(
            store.getDirectories().getDirectoryForNewSSTables(), "nb-1000001-big-Statistics.db");
    unended.createFileIfNotExists();
    deleteUntil(() -> dataFiles(store).size() == 1); // that in which it has moved
    files.deleteUnread();
    assertThat(tables.all()).contains(table);
    unended.delete();
    files.deleteUnread();
    assertThat(tables.all()).doesNotContain(table);
    node.cql("DROP TABLE twin.read_still");
  }

  /** As on a full disk; it is no failure of the disk, of which a node may end. */
  @Test
  void should_forget_a_table_later_that_the_catalog_could_not_forget_now()
      throws ReflectiveOperationException {
    ColumnFamilyStore store = create("unforgotten");
    TemporaryTables tables = Engine.running().database.temporaryTables;
    TemporaryFiles files = Engine.running().temporaryFiles;
    String table = FamilyName.table(store.metadata());
    Object family;
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).hasSize(1);
      node.cql("ALTER TABLE twin.unforgotten WITH memtable = 'default'");
      await(() -> !Engine.hasRowsOf(store.metadata()));
      family = TableStoresTest.familyOfCatalog(null);
    }
    try {
      deleteUntil(() -> dataFiles(store).size() == 1);
      files.deleteUnread();
      assertThat(tables.all()).contains(table);
    } finally {
      TableStoresTest.familyOfCatalog(family);
    }
    files.deleteUnread();
    assertThat(tables.all()).doesNotContain(table);
    node.cql("DROP TABLE twin.unforgotten");
  }

  /** A table with one row. */
  private ColumnFamilyStore create(String name) {
    node.cql("CREATE TABLE twin." + name + " (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin." + name + " (k) VALUES (1)");
    return node.store("twin", name);
  }

  private static void deleteUntil(BooleanSupplier isDone) {
    await(
        () -> {
          Engine.running().temporaryFiles.deleteUnread();
          return isDone.getAsBoolean();
        });
  }

  /** What is in the table's directory, and a file of somebody else beside it. */
  private static File makeOld(ColumnFamilyStore store) {
    File directory = store.getDirectories().getDirectoryForNewSSTables();
    File others = new File(directory, "nb-1000000-big-Data.db");
    others.createFileIfNotExists();
    for (File file : directory.tryList(File::isFile)) {
      assertThat(file.trySetLastModified(1)).isTrue();
    }
    return others;
  }

  @Test
  void should_write_no_file_when_all_that_the_rows_had_was_a_column_that_is_dropped() {
    node.cql(
        "CREATE TABLE twin.emptied (p int, c int, v int, w int, PRIMARY KEY (p, c)) WITH memtable ="
            + " 'rocksdb'");
    for (int p = 0; p < 3; p++) {
      node.cql("UPDATE twin.emptied SET v = 1 WHERE p = " + p + " AND c = 1");
    }
    node.cql("ALTER TABLE twin.emptied DROP v");
    ColumnFamilyStore store = node.store("twin", "emptied");
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).isEmpty();
    }
    assertThat(dataFiles(store)).isEmpty();
    node.cql("UPDATE twin.emptied SET w = 1 WHERE p = 1 AND c = 1");
    try (Refs<SSTableReader> stream = write(store)) {
      assertThat(stream).hasSize(1);
      assertThat(stream.iterator().next().getTotalRows()).isOne();
    }
  }

  @Test
  void should_start_without_the_file_when_the_node_dies_while_it_is_written() throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("streaming"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql(
          "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb'");
      TestNode.call(node, "fill k.t 0 " + ROWS);
      TestNode.die(node, "dieWritingTemporaryFile k t");
    }
    assertThat(dataFiles(settings)).hasSize(1);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(Integer.parseInt(ROWS));
      assertThat(dataFiles(settings)).isEmpty();
    }
  }

  /** Another node took one, and gave it back in a stream: it is the only one that has the rows. */
  @Test
  void should_keep_a_file_that_came_back_while_the_table_was_not_in_rocksdb() throws IOException {
    NodeSettings settings = TestNode.synced(TestNode.settings(TestNode.newDirectory("returned")));
    Path saved = TestNode.newDirectory("lent");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql(
          "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb'");
      TestNode.call(node, "fill k.t 0 " + ROWS);
      TestNode.call(node, NodeStreams.class, "save k t " + saved);
      node.cql("TRUNCATE k.t");
      node.cql("ALTER TABLE k.t WITH memtable = 'default'");
      await(() -> TestNode.call(node, "tablesInRocks").equals(List.of("")));
      node.stop();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      TestNode.call(node, NodeStreams.class, "load k t " + saved);
      node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      node.kill();
    }
    int rows = Integer.parseInt(ROWS);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(rows);
      node.cql("INSERT INTO k.t (k) VALUES (" + ROWS + ")");
      TestNode.call(node, "writeTemporaryFile k t");
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(rows + 1);
    }
  }

  /** Writes all of a table to a temporary file, as Cassandra does; a reader is in the result. */
  static Refs<SSTableReader> write(ColumnFamilyStore store) {
    PartitionPosition least = store.getPartitioner().getMinimumToken().minKeyBound();
    Refs<SSTableReader> readers = new Refs<>();
    store.writeAndAddMemtableRanges(
        ActiveRepairService.NO_PENDING_REPAIR, () -> List.of(new Range<>(least, least)), readers);
    return readers;
  }

  static List<String> dataFiles(ColumnFamilyStore store) {
    List<String> names = new ArrayList<>();
    for (File directory : store.getDirectories().getCFDirectories()) {
      names.addAll(
          Arrays.stream(directory.tryListNames())
              .filter(name -> name.endsWith("-Data.db"))
              .collect(Collectors.toList()));
    }
    return names;
  }

  private static List<Path> dataFiles(NodeSettings settings) throws IOException {
    try (Stream<Path> files = Files.walk(settings.directory().resolve("data/k"))) {
      return files
          .filter(file -> file.toString().endsWith("-Data.db"))
          .collect(Collectors.toList());
    }
  }
}
