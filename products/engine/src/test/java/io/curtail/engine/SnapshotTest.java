/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.TableStores;
import io.curtail.engine.snapshot.Snapshots;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.store.NativeIterators;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.MutationExceededMaxSizeException;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.Test;

/** Snapshots of tables in RocksDB, and what comes back from them. */
class SnapshotTest {
  private static final String CREATE =
      "CREATE TABLE # (p int, c int, v int, m map<int, text>, s text STATIC, PRIMARY KEY (p, c))";
  private static final int WIDE = 350;

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_have_what_it_had_when_it_is_restored_after_a_truncation() throws IOException {
    Twins twins = new Twins(CREATE);
    node.cql("CREATE INDEX ON " + twins.rocks + " (v) USING 'legacy_local_table'");
    fill(twins).run("UPDATE # SET v = 77 WHERE p = 1 AND c = 2");
    node.cql("TRUNCATE " + twins.rocks);
    assertThat(node.rows("SELECT * FROM " + twins.rocks)).isEmpty();

    String truncated =
        twins.rocksStore().listSnapshots().keySet().stream()
            .filter(name -> name.startsWith("truncated-"))
            .collect(Collectors.joining());
    assertThat(restore(twins, truncated)).isGreaterThan(3);
    twins.same("SELECT * FROM #", "SELECT * FROM # WHERE p = 1 ORDER BY c DESC");
    assertThat(node.rows("SELECT c FROM " + twins.rocks + " WHERE v = 77")).containsExactly("c=2");

    restore(twins, truncated);
    twins.same("SELECT * FROM #");
    // Deletions came back, too.
    twins
        .run(
            "INSERT INTO # (p, c, v) VALUES (4, 3, 3) USING TIMESTAMP 1",
            "INSERT INTO # (p, c, v) VALUES (1, 60, 3) USING TIMESTAMP 1")
        .same("SELECT * FROM #", "SELECT c FROM # WHERE p = 4");
  }

  @Test
  void should_bring_deletions_back_when_there_is_no_static_column() throws IOException {
    Twins twins = twoPartitions(4);
    twins.run("DELETE FROM # WHERE p = 1", "DELETE FROM # WHERE p = 2 AND c > 1");
    twins.rocksStore().snapshot("deleted");
    node.cql("TRUNCATE " + twins.rocks);
    restore(twins, "deleted");
    twins.sameOrEmpty("SELECT * FROM #", "SELECT * FROM # WHERE p = 1");
  }

  @Test
  void should_have_newer_writes_too_when_it_is_restored_over_them() throws IOException {
    Twins twins = filled();
    twins.rocksStore().snapshot("before");
    twins.run(
        "DELETE FROM # WHERE p = 0",
        "UPDATE # SET v = 5 WHERE p = 1 AND c = 1",
        "INSERT INTO # (p, c, v) VALUES (50, 1, 1)");
    restore(twins, "before");
    twins.same("SELECT * FROM #").sameOrEmpty("SELECT * FROM # WHERE p = 0");
  }

  @Test
  void should_restore_into_a_new_table_when_it_has_the_same_columns() throws IOException {
    Twins twins = filled();
    twins.rocksStore().snapshot("kept");
    restoreInto("other", twins, folder(twins).resolve("snapshots").resolve("kept"));
  }

  /** In memory, if there is such a file system. */
  @Test
  void should_restore_a_snapshot_that_is_on_another_file_system() throws IOException {
    Twins twins = filled();
    twins.rocksStore().snapshot("far");
    Path memory = Path.of("/dev/shm");
    Path far =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "curtail")
            : Files.createTempDirectory("curtail");
    try {
      Path from = folder(twins).resolve("snapshots").resolve("far");
      try (Stream<Path> files = Files.walk(from)) {
        for (Path file : files.collect(Collectors.toList())) {
          Files.copy(file, far.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
        }
      }
      restoreInto("far", twins, far);
    } finally {
      new File(far).deleteRecursive();
    }
  }

  private void restoreInto(String name, Twins twins, Path snapshot) throws IOException {
    node.cql(
        "CREATE TABLE twin."
            + name
            + " (p int, c int, more text, s text STATIC, v int, m map<int, text>,"
            + " PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    new EngineControl(Engine.running()).restore("twin", name, snapshot.toString());
    String columns = "p, c, s, m, v";
    assertThat(node.rows("SELECT " + columns + " FROM twin." + name))
        .isEqualTo(node.rows("SELECT " + columns + " FROM " + twins.stock))
        .isNotEmpty();
  }

  @Test
  void should_refuse_to_restore_when_the_columns_are_others() throws IOException {
    Twins twins = filled();
    twins.rocksStore().snapshot("kept");
    String snapshot = folder(twins).resolve("snapshots").resolve("kept").toString();
    EngineControl engine = new EngineControl(Engine.running());
    node.cql("CREATE TABLE twin.key (p int, c text, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    assertThatThrownBy(() -> engine.restore("twin", "key", snapshot))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the primary key of twin.key is not what it was");
    node.cql(
        "CREATE TABLE twin.type (p int, c int, v text, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb'");
    assertThatThrownBy(() -> engine.restore("twin", "type", snapshot))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the column v of twin.type is not what it was");
    assertThatThrownBy(() -> restore(twins, "unknown"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unknown/rocksdb has no snapshot of a table in RocksDB");
    assertThat(Engine.running().database.families.names()).noneMatch(FamilyName::isCopy);
  }

  /** The deletion is in RocksDB, what it deletes in a file of Cassandra. */
  @Test
  void should_restore_what_was_in_data_files_too_once_they_are_imported() throws Exception {
    node.cql("CREATE TABLE twin.mixed (k int PRIMARY KEY) WITH gc_grace_seconds = 0");
    node.cql("INSERT INTO twin.mixed (k) VALUES (1)");
    node.cql("INSERT INTO twin.mixed (k) VALUES (2)");
    ColumnFamilyStore table = node.store("twin", "mixed");
    node.cql("ALTER TABLE twin.mixed WITH memtable = 'rocksdb'");
    await(() -> table.getLiveSSTables().size() == 1);
    node.cql("DELETE FROM twin.mixed WHERE k = 1");
    table.snapshot("both");
    node.cql("TRUNCATE twin.mixed");
    EngineControl engine = new EngineControl(Engine.running());
    assertThatThrownBy(() -> engine.restore("twin", "mixed", "both"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nodetool import --copy-data twin mixed");
    assertThat(node.rows("SELECT k FROM twin.mixed")).isEmpty();
    importFiles(table, "both");
    assertThat(engine.restore("twin", "mixed", "both")).isOne();
    long restored = FBUtilities.nowInSeconds();
    await(() -> FBUtilities.nowInSeconds() > restored + 1);
    engine.sweep("twin", "mixed");
    assertThat(node.rows("SELECT k FROM twin.mixed")).containsExactly("k=2");
    assertThat(engine.absorb("twin", "mixed")).isOne();
    engine.sweep("twin", "mixed");
    assertThat(node.rows("SELECT k FROM twin.mixed")).containsExactly("k=2");
  }

  @Test
  void should_leave_rows_the_time_they_had_when_some_expired_before_they_were_restored()
      throws IOException {
    Twins twins =
        new Twins("CREATE TABLE # (p int, c int, v int, s int STATIC, PRIMARY KEY (p, c))");
    twins.run(
        "INSERT INTO # (p, c, v) VALUES (1, 1, 1) USING TTL 1",
        "INSERT INTO # (p, c, v) VALUES (1, 2, 1) USING TTL 100000",
        "INSERT INTO # (p, c, v) VALUES (1, 3, 1)",
        "UPDATE # USING TTL 1 SET v = 2 WHERE p = 1 AND c = 3",
        "UPDATE # USING TTL 1 SET s = 1 WHERE p = 1",
        "INSERT INTO # (p, c, v) VALUES (2, 1, 1) USING TTL 1");
    String before = withoutNow(dump(twins, 1));
    assertThat(before).contains("\"ttl\" : 100000, \"expires_at\"");
    twins.rocksStore().snapshot("lasting");
    List<String> left = List.of("p=1, c=2, v=1, s=null", "p=1, c=3, v=null, s=null");
    String all = "SELECT p, c, v, s FROM " + twins.rocks;
    await(() -> node.rows(all).equals(left));
    node.cql("TRUNCATE " + twins.rocks);
    assertThat(restore(twins, "lasting")).isPositive();
    assertThat(node.rows(all)).isEqualTo(left);
    assertThat(withoutNow(dump(twins, 1))).isEqualTo(before);
  }

  private static Twins twoPartitions(int rows) {
    Twins twins = new Twins("CREATE TABLE # (p int, c int, v int, PRIMARY KEY (p, c))");
    for (int c = 0; c < rows; c++) {
      twins.run(
          "INSERT INTO # (p, c, v) VALUES (1, " + c + ", 1)",
          "INSERT INTO # (p, c, v) VALUES (2, " + c + ", 1)");
    }
    return twins;
  }

  private static String dump(Twins twins, int partition) throws IOException {
    return new EngineControl(Engine.running())
        .dump("twin", twins.rocksName, String.valueOf(partition), 100);
  }

  /** It also tells what has expired by now. */
  private static String withoutNow(String dump) {
    return dump.replaceAll("\"expired\" : \\w+", "");
  }

  @Test
  void should_bring_no_row_back_when_its_deletion_may_be_purged_by_then() throws IOException {
    Twins twins = twoPartitions(8);
    twins.run("DELETE FROM # WHERE p = 2", "DELETE FROM # WHERE p = 1 AND c > 5");
    twins.run("DELETE FROM # WHERE p = 1 AND c = 1", "DELETE v FROM # WHERE p = 1 AND c = 2");
    twins.rocksStore().snapshot("purgeable");
    node.cql("TRUNCATE " + twins.rocks);
    // Older than the deletions.
    twins.run(
        "INSERT INTO # (p, c, v) VALUES (2, 1, 7) USING TIMESTAMP 1",
        "INSERT INTO # (p, c, v) VALUES (1, 1, 7) USING TIMESTAMP 1",
        "INSERT INTO # (p, c, v) VALUES (1, 7, 7) USING TIMESTAMP 1",
        "ALTER TABLE # WITH gc_grace_seconds = 0");
    long deleted = FBUtilities.nowInSeconds();
    await(() -> FBUtilities.nowInSeconds() > deleted + 1);
    restore(twins, "purgeable");
    twins.same("SELECT * FROM #").sameOrEmpty("SELECT * FROM # WHERE p = 2");
    new EngineControl(Engine.running()).sweep("twin", twins.rocksName);
    twins.same("SELECT * FROM #").sameOrEmpty("SELECT * FROM # WHERE p = 2");
    assertThat(dump(twins, 2)).as("purged").isEqualTo("[ ]");
  }

  @Test
  void should_bring_a_view_along_when_its_table_is_restored() throws IOException {
    node.cql(
        "CREATE TABLE twin.restored_view (k int PRIMARY KEY, v int, w int) WITH memtable = 'rocksdb'");
    createView("restored_view");
    for (int k = 0; k < 8; k++) {
      node.cql(
          String.format(
              "INSERT INTO twin.restored_view (k, v, w) VALUES (%d, %d, %d)", k, k % 3, k));
    }
    node.cql("UPDATE twin.restored_view SET v = 9 WHERE k = 4");
    node.cql("DELETE FROM twin.restored_view WHERE k = 5");
    List<String> rows = assertViewed("restored_view");
    assertThat(rows).hasSize(7);
    node.store("twin", "restored_view").snapshot("restored_view");
    node.cql("TRUNCATE twin.restored_view");
    assertThat(node.rows("SELECT * FROM twin.restored_view_by_v")).isEmpty();
    EngineControl engine = new EngineControl(Engine.running());
    engine.restore("twin", "restored_view", "restored_view");
    assertThat(assertViewed("restored_view")).isEqualTo(rows);
    // Over newer rows, which stay.
    node.cql("UPDATE twin.restored_view SET v = 7 WHERE k = 0");
    node.cql("DELETE FROM twin.restored_view WHERE k = 1");
    node.cql("INSERT INTO twin.restored_view (k, v, w) VALUES (20, 7, 7)");
    engine.restore("twin", "restored_view", "restored_view");
    assertThat(assertViewed("restored_view"))
        .hasSize(7)
        .contains("v=7, k=0, w=0", "v=7, k=20, w=7");
  }

  /** As of any table of Cassandra. */
  @Test
  void should_have_what_was_in_data_files_in_a_view_that_is_made_after_they_are_imported()
      throws IOException {
    node.cql("CREATE TABLE twin.halfviewed (k int PRIMARY KEY, v int, w int)");
    createView("halfviewed");
    node.cql("INSERT INTO twin.halfviewed (k, v, w) VALUES (1, 1, 1)");
    ColumnFamilyStore table = node.store("twin", "halfviewed");
    node.cql("ALTER TABLE twin.halfviewed WITH memtable = 'rocksdb'");
    await(() -> table.getLiveSSTables().size() == 1);
    node.cql("INSERT INTO twin.halfviewed (k, v, w) VALUES (2, 2, 2)");
    table.snapshot("both");
    node.cql("TRUNCATE twin.halfviewed");
    importFiles(table, "both");
    new EngineControl(Engine.running()).restore("twin", "halfviewed", "both");
    assertThat(node.rows("SELECT k FROM twin.halfviewed")).hasSize(2);
    assertThat(node.rows("SELECT k FROM twin.halfviewed_by_v")).containsExactly("k=2");
    node.cql("DROP MATERIALIZED VIEW twin.halfviewed_by_v");
    createView("halfviewed");
    assertThat(assertViewed("halfviewed")).hasSize(2);
  }

  private static void importFiles(ColumnFamilyStore table, String snapshot) {
    Path folder = table.getDirectories().getDirectoryForNewSSTables().toPath();
    String files = folder.resolve("snapshots").resolve(snapshot).toString();
    table.importNewSSTables(Set.of(files), true, true, true, true, true, true, true);
  }

  private void createView(String table) {
    node.cql(
        String.format(
            "CREATE MATERIALIZED VIEW twin.%1$s_by_v AS SELECT k, v, w FROM twin.%1$s"
                + " WHERE k IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, k)"
                + " WITH memtable = 'rocksdb'",
            table));
    await(() -> SystemKeyspace.isViewBuilt("twin", table + "_by_v"));
  }

  /** Returns the rows that both have. */
  private List<String> assertViewed(String table) {
    List<String> rows = node.rows("SELECT v, k, w FROM twin." + table);
    assertThat(node.rows("SELECT v, k, w FROM twin." + table + "_by_v"))
        .containsExactlyInAnyOrderElementsOf(rows);
    return rows;
  }

  @Test
  void should_restore_nothing_when_the_table_was_empty() throws IOException {
    Twins twins = new Twins(CREATE);
    twins.run("INSERT INTO # (p, c) VALUES (1, 1)", "TRUNCATE #");
    twins.rocksStore().snapshot("empty");
    twins.run("INSERT INTO # (p, c) VALUES (1, 2)");
    assertThatThrownBy(() -> restore(twins, "empty")).hasMessageContaining("has no snapshot");
    twins.same("SELECT * FROM #");
  }

  @Test
  void should_be_a_database_of_its_own_when_it_is_taken() throws IOException {
    Twins twins = filled();
    twins.rocksStore().snapshot("mine");
    assertThat(files(folder(twins)))
        .anyMatch(file -> file.matches(".*/snapshots/mine/rocksdb/.*\\.sst"))
        .anyMatch(file -> file.endsWith("/snapshots/mine/rocksdb/CURRENT"))
        .anyMatch(file -> file.endsWith("/snapshots/mine/rocksdb/columns"))
        .noneMatch(file -> file.contains("-exported"));
    assertThat(twins.rocksStore().listSnapshots()).containsKey("mine");
  }

  @Test
  void should_have_nothing_left_of_it_when_it_is_cleared() throws IOException {
    Twins twins = filled();
    twins.rocksStore().snapshot("kept");
    twins.rocksStore().snapshot("cleared");
    twins.rocksStore().clearSnapshot("cleared");
    assertThat(files(folder(twins)))
        .noneMatch(file -> file.contains("/snapshots/cleared"))
        .anyMatch(file -> file.matches(".*/snapshots/kept/rocksdb/.*\\.sst"));
    assertThat(twins.rocksStore().listSnapshots()).containsOnlyKeys("kept");
    twins.same("SELECT * FROM #");
  }

  @Test
  void should_name_the_snapshot_when_a_table_is_truncated() throws IOException {
    Twins twins = filled();
    twins.run("TRUNCATE #").sameOrEmpty("SELECT * FROM #");
    twins.run("INSERT INTO # (p, c, v) VALUES (1, 1, 1)").same("SELECT * FROM #");
    assertThat(files(folder(twins)))
        .anyMatch(file -> file.matches(".*/snapshots/truncated-.*/rocksdb/.*\\.sst"))
        .noneMatch(file -> file.contains("before-truncation"));
  }

  /** As a process leaves it that dies between the two, and one that dies before the rows go. */
  @Test
  void should_name_what_a_truncation_kept_that_did_not_come_to_its_snapshot() throws IOException {
    Twins twins = filled();
    ColumnFamilyStore table = twins.rocksStore();
    TableStore store = TestNode.store(table);
    Path kept = Snapshots.takeUnnamed(store, table.metadata());
    Files.move(kept, kept.resolveSibling("rocksdb-before-truncation-77"));
    Files.createDirectory(kept.resolveSibling("rocksdb-before-truncation-78"));
    Path ofLiveRows = Snapshots.takeUnnamed(store, table.metadata());
    TableStores.endTruncations(store, table.metadata());
    assertThat(ofLiveRows).doesNotExist();
    assertThat(files(folder(twins))).noneMatch(file -> file.contains("before-truncation"));
    assertThat(table.listSnapshots().keySet())
        .singleElement()
        .asString()
        .matches("truncated-unfinished-[0-9]+-" + twins.rocksName);

    String named = table.listSnapshots().keySet().iterator().next();
    node.cql("TRUNCATE " + twins.rocks);
    restore(twins, named);
    twins.same("SELECT * FROM #");
  }

  @Test
  void should_say_so_when_a_snapshot_did_not_come_to_the_disk_as_a_whole() throws IOException {
    Twins twins = filled();
    twins.rocksStore().snapshot("torn");
    Path types = folder(twins).resolve("snapshots/torn/rocksdb/types");
    Files.write(types, new byte[0]);
    assertThatThrownBy(() -> restore(twins, "torn"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("types is empty");
  }

  /** A hundred of them are more than the commit log takes at once. */
  @Test
  void should_restore_rows_that_are_large_while_the_commit_log_has_them_too() throws IOException {
    node.cql(
        "CREATE TABLE twin.largerows (p int, c int, v int, s int STATIC, b blob,"
            + " PRIMARY KEY (p, c))");
    node.cql("CREATE INDEX largerows_v ON twin.largerows (v) USING 'legacy_local_table'");
    ColumnFamilyStore table = node.store("twin", "largerows");
    TestNode.awaitIndex(table);
    node.cql("ALTER TABLE twin.largerows WITH memtable = 'rocksdb'");
    int bytes = DatabaseDescriptor.getMaxMutationSize() * 2 / 3;
    String half = "00".repeat(bytes / 2);
    node.cql("UPDATE twin.largerows SET s = 1 WHERE p = 1");
    node.cql("DELETE FROM twin.largerows WHERE p = 1 AND c > 3");
    for (int c = 0; c < 5; c++) {
      node.cql(
          String.format(
              "INSERT INTO twin.largerows (p, c, v, b) VALUES (1, %d, 7, 0x%s)", c, half));
    }
    table.snapshot("large");
    node.cql("TRUNCATE twin.largerows");
    EngineControl engine = new EngineControl(Engine.running());
    assertThat(engine.restore("twin", "largerows", "large")).isGreaterThan(2);
    assertThat(node.rows("SELECT c FROM twin.largerows WHERE v = 7")).hasSize(5);
    assertThat(node.rows("SELECT DISTINCT p, s FROM twin.largerows")).containsExactly("p=1, s=1");
    assertThat(node.rows("SELECT c FROM twin.largerows WHERE p = 1")).hasSize(5);
    node.cql("DROP TABLE twin.largerows");
  }

  /** It may be what the disk has no room for, and the next try makes another. */
  @Test
  void should_leave_nothing_of_its_copy_when_a_restore_fails_halfway() throws IOException {
    node.cql(
        "CREATE TABLE twin.halfway (p int PRIMARY KEY, a blob, b blob) WITH memtable = 'rocksdb'");
    for (int p = 0; p < 300; p++) {
      node.cql("INSERT INTO twin.halfway (p) VALUES (" + p + ")");
    }
    // The first row in the order of tokens is more than the commit log takes at once.
    String first = node.rows("SELECT p FROM twin.halfway LIMIT 1").get(0).replaceAll("\\D", "");
    String half = "00".repeat(DatabaseDescriptor.getMaxMutationSize() * 2 / 3);
    for (String column : List.of("a", "b")) {
      node.cql("UPDATE twin.halfway SET " + column + " = 0x" + half + " WHERE p = " + first);
    }
    node.store("twin", "halfway").snapshot("halfway");
    Engine engine = Engine.running();
    Set<String> families = Set.copyOf(engine.database.families.names());
    long open = NativeIterators.open();
    assertThatThrownBy(() -> new EngineControl(engine).restore("twin", "halfway", "halfway"))
        .isInstanceOf(MutationExceededMaxSizeException.class);
    // Fewer, if the collector finds one of an earlier test meanwhile.
    assertThat(NativeIterators.open()).isLessThanOrEqualTo(open);
    assertThat(engine.database.families.names()).containsExactlyInAnyOrderElementsOf(families);
    node.cql("DROP TABLE twin.halfway");
  }

  private static long restore(Twins twins, String snapshot) throws IOException {
    return new EngineControl(Engine.running()).restore("twin", twins.rocksName, snapshot);
  }

  private static Path folder(Twins twins) {
    return twins.rocksStore().getDirectories().getDirectoryForNewSSTables().toPath();
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).collect(Collectors.toList());
    }
  }

  private static Twins filled() {
    return fill(new Twins(CREATE));
  }

  /** Small partitions, one of many rows with ranges that are deleted, and a static row alone. */
  private static Twins fill(Twins twins) {
    for (int p = 0; p < 3; p++) {
      for (int c = 0; c < (p == 1 ? WIDE : 5); c++) {
        twins.run(
            String.format(
                "INSERT INTO # (p, c, v, m, s) VALUES (%d, %d, %d, {-1: 'a', %d: 'b'}, 's')",
                p, c, c, c));
      }
    }
    return twins
        .run(
            "DELETE FROM # WHERE p = 1 AND c > 50 AND c <= 260",
            "INSERT INTO # (p, c, v) VALUES (1, 150, 1)",
            "DELETE FROM # WHERE p = 2 AND c = 3",
            "DELETE FROM # WHERE p = 4",
            "INSERT INTO # (p, c, v) VALUES (4, 2, 2)",
            "UPDATE # SET s = 'alone' WHERE p = 9",
            "DELETE m[-1] FROM # WHERE p = 0 AND c = 1")
        .same("SELECT * FROM #");
  }
}
