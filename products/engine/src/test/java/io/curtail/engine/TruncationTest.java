/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.utils.TimeUUID;
import org.junit.jupiter.api.Test;

/** Truncations that Cassandra gives up halfway, of which it tells nobody. */
class TruncationTest {
  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_raise_no_row_when_its_deletion_is_in_rocksdb_and_the_data_files_stay() {
    truncateTwice("halfway", "");
  }

  @Test
  void should_raise_no_row_when_the_table_has_no_snapshots() {
    truncateTwice("unkept", " AND allow_auto_snapshot = false");
  }

  @Test
  void should_leave_no_row_of_a_table_without_snapshots_and_its_index() {
    ColumnFamilyStore store = create("indexed", "default");
    node.cql("CREATE INDEX indexed_v ON twin.indexed (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(store);
    node.cql("INSERT INTO twin.indexed (k, v) VALUES (1, 1)");
    store.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    node.cql("ALTER TABLE twin.indexed WITH memtable = 'rocksdb' AND allow_auto_snapshot = false");
    for (int round = 0; round < 3; round++) {
      node.cql("INSERT INTO twin.indexed (k, v) VALUES (2, 1)");
      assertThat(node.rows("SELECT k FROM twin.indexed WHERE v = 1")).contains("k=2");
      node.cql("TRUNCATE twin.indexed");
      assertThat(node.rows("SELECT k FROM twin.indexed")).isEmpty();
      assertThat(node.rows("SELECT k FROM twin.indexed WHERE v = 1")).isEmpty();
      assertThat(store.getLiveSSTables()).isEmpty();
    }
    node.cql("INSERT INTO twin.indexed (k, v) VALUES (3, 1)");
    assertThat(node.rows("SELECT k FROM twin.indexed WHERE v = 1")).containsExactly("k=3");
    node.cql("DROP TABLE twin.indexed");
    await(
        () ->
            Engine.running().database.families.names().stream()
                .noneMatch(family -> family.contains("indexed")));
  }

  private void truncateTwice(String table, String options) {
    String name = "twin." + table;
    ColumnFamilyStore store = create(table, "default");
    node.cql("INSERT INTO " + name + " (k, v) VALUES (1, 1)");
    node.cql("INSERT INTO " + name + " (k, v) VALUES (2, 2)");
    store.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    node.cql("ALTER TABLE " + name + " WITH memtable = 'rocksdb'" + options);
    assertThat(store.getLiveSSTables()).hasSize(1);
    node.cql("DELETE FROM " + name + " WHERE k = 1");
    node.cql("UPDATE " + name + " SET v = 3 WHERE k = 2");
    truncateHalfway(store);
    assertThat(node.rows("SELECT k, v FROM " + name)).containsExactly("k=2, v=3");
    node.cql("TRUNCATE " + name);
    assertThat(node.rows("SELECT k, v FROM " + name)).isEmpty();
    assertThat(store.getLiveSSTables()).isEmpty();
  }

  @Test
  void should_have_the_rows_of_its_moment_when_a_snapshot_follows_a_truncation_without_one()
      throws IOException {
    ColumnFamilyStore store = create("leftover", "rocksdb");
    node.cql("INSERT INTO twin.leftover (k, v) VALUES (1, 1)");
    truncateHalfway(store);
    node.cql("INSERT INTO twin.leftover (k, v) VALUES (2, 2)");
    store.snapshot("later");
    node.cql("TRUNCATE twin.leftover");
    assertThat(unnamed(store)).isZero();
    new EngineControl(Engine.running()).restore("twin", "leftover", "later");
    assertThat(node.rows("SELECT k, v FROM twin.leftover")).containsExactly("k=2, v=2");
  }

  private ColumnFamilyStore create(String table, String memtable) {
    node.cql(
        String.format(
            "CREATE TABLE twin.%s (k int PRIMARY KEY, v int) WITH memtable = '%s'",
            table, memtable));
    return node.store("twin", table);
  }

  /** Truncates a table while something goes on that Cassandra does not stop for it. */
  private void truncateHalfway(ColumnFamilyStore store) {
    CompactionInfo.Holder unstoppable = new Unstoppable(store);
    CompactionManager.instance.active.beginCompaction(unstoppable);
    try {
      node.cql("TRUNCATE twin." + store.name);
    } finally {
      CompactionManager.instance.active.finishCompaction(unstoppable);
    }
  }

  private static long unnamed(ColumnFamilyStore store) throws IOException {
    Path snapshots =
        store.getDirectories().getDirectoryForNewSSTables().toPath().resolve("snapshots");
    try (Stream<Path> files = Files.list(snapshots)) {
      return files.filter(file -> file.toString().contains("before-truncation")).count();
    }
  }

  /** Of the highest priority. */
  private static final class Unstoppable extends CompactionInfo.Holder {
    private final CompactionInfo info;

    Unstoppable(ColumnFamilyStore store) {
      info =
          CompactionInfo.withoutSSTables(
              store.metadata(),
              OperationType.P0,
              0,
              1,
              1,
              CompactionInfo.Unit.BYTES,
              TimeUUID.Generator.nextTimeUUID());
    }

    @Override
    public CompactionInfo getCompactionInfo() {
      return info;
    }

    @Override
    public boolean isGlobal() {
      return false;
    }
  }
}
