/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

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
    ColumnFamilyStore store = create("halfway", "default");
    node.cql("INSERT INTO twin.halfway (k, v) VALUES (1, 1)");
    node.cql("INSERT INTO twin.halfway (k, v) VALUES (2, 2)");
    store.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
    node.cql("ALTER TABLE twin.halfway WITH memtable = 'rocksdb'");
    assertThat(store.getLiveSSTables()).hasSize(1);
    node.cql("DELETE FROM twin.halfway WHERE k = 1");
    node.cql("UPDATE twin.halfway SET v = 3 WHERE k = 2");
    truncateHalfway(store);
    assertThat(node.rows("SELECT k, v FROM twin.halfway")).containsExactly("k=2, v=3");
    node.cql("TRUNCATE twin.halfway");
    assertThat(node.rows("SELECT k, v FROM twin.halfway")).isEmpty();
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
