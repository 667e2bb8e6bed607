/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.die;
import static io.curtail.engine.TestNode.memtable;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.IndexBuild;
import io.curtail.engine.operation.StoredTable;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.exceptions.ReadFailureException;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;

/** Legacy indexes that are built from rows in RocksDB, where they stay. */
class IndexBuildTest {
  private static final int PERIOD_SECONDS = 60;
  private static final int ROWS = 20;
  private static final int PARTITIONS = 10;

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_answer_as_cassandra_when_an_index_of_each_kind_comes_after_the_rows() {
    Twins twins =
        new Twins(
            "CREATE TABLE # (p int, q int, c int, v int, s int STATIC, m map<int, int>, l list<int>,"
                + " f frozen<set<int>>, PRIMARY KEY ((p, q), c))");
    for (int p = 0; p < 4; p++) {
      twins.run("UPDATE # SET s = " + p % 3 + " WHERE p = " + p + " AND q = 1");
      for (int c = 0; c < 10; c++) {
        twins.run(
            String.format(
                "INSERT INTO # (p, q, c, v, m, l, f) VALUES (%d, 1, %d, %d, {%d: 1}, [%d], {%d})",
                p, c, c % 3, c, c, c));
      }
    }
    twins.run(
        "DELETE FROM # WHERE p = 1 AND q = 1 AND c > 3",
        "DELETE v FROM # WHERE p = 2 AND q = 1 AND c = 0",
        "UPDATE # SET m = {7: 2} WHERE p = 3 AND q = 1 AND c = 2",
        "DELETE FROM # WHERE p = 0 AND q = 1");
    Map.of(
            "p",
            "p",
            "c",
            "c",
            "v",
            "v",
            "s",
            "s",
            "m",
            "KEYS(m)",
            "e",
            "ENTRIES(m)",
            "l",
            "l",
            "f",
            "FULL(f)")
        .forEach((name, target) -> twins.index(name, target));
    assertThat(twins.rocksStore().getLiveSSTables()).isEmpty();
    twins.same(
        "SELECT * FROM # WHERE p = 2",
        "SELECT * FROM # WHERE c = 3",
        "SELECT * FROM # WHERE c = 7",
        "SELECT * FROM # WHERE v = 0",
        "SELECT * FROM # WHERE v = 1",
        "SELECT * FROM # WHERE s = 1",
        "SELECT * FROM # WHERE m CONTAINS KEY 7",
        "SELECT * FROM # WHERE m[7] = 2",
        "SELECT * FROM # WHERE l CONTAINS 3",
        "SELECT * FROM # WHERE f = {5}");
    twins.sameOrEmpty("SELECT * FROM # WHERE p = 0", "SELECT * FROM # WHERE s = 0");
  }

  /** Such a write knows nothing of the index. */
  @Test
  void should_index_a_write_that_began_before_the_index_was_there() {
    node.cql("CREATE TABLE twin.early (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.early (k, v) VALUES (1, 1)");
    ColumnFamilyStore table = node.store("twin", "early");
    OpOrder.Group unfinished = Keyspace.writeOrder.start();
    try {
      node.cql("CREATE INDEX early_v ON twin.early (v) USING 'legacy_local_table'");
      await(() -> progress(table) == 1);
      PartitionUpdate.SimpleBuilder write = PartitionUpdate.simpleBuilder(table.metadata(), 2);
      write.row().add("v", 1);
      memtable(table).absorb(write.build());
    } finally {
      unfinished.close();
    }
    TestNode.awaitIndex(table);
    assertThat(node.rows("SELECT k FROM twin.early WHERE v = 1"))
        .containsExactlyInAnyOrder("k=1", "k=2");
  }

  /** As in Cassandra; a start builds it. */
  @Test
  void should_refuse_queries_of_an_index_whose_build_was_stopped() {
    node.cql("CREATE TABLE twin.halted_build (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.halted_build (k, v) VALUES (1, 1)");
    ColumnFamilyStore table = node.store("twin", "halted_build");
    OpOrder.Group unfinished = Keyspace.writeOrder.start(); // which the build waits for
    try {
      node.cql("CREATE INDEX halted_build_v ON twin.halted_build (v) USING 'legacy_local_table'");
      await(() -> progress(table) == 1);
      CompactionManager.instance.stopCompaction("INDEX_BUILD");
    } finally {
      unfinished.close();
    }
    await(() -> progress(table) == 0);
    assertThatThrownBy(() -> node.cql("SELECT k FROM twin.halted_build WHERE v = 1"))
        .isInstanceOf(ReadFailureException.class);
    assertThat(SystemKeyspace.isIndexBuilt("twin", "halted_build_v")).isFalse();
    node.cql("INSERT INTO twin.halted_build (k, v) VALUES (2, 1)");
    assertThat(node.rows("SELECT k FROM twin.halted_build"))
        .containsExactlyInAnyOrder("k=1", "k=2");
  }

  @Test
  void should_end_when_the_table_is_emptied_meanwhile() throws Exception {
    ColumnFamilyStore table = create("emptied_build");
    try (HeldWork build = held(table, 1)) {
      interrupts(build, table, "TRUNCATE twin.emptied_build");
    }
    assertThat(node.rows("SELECT k FROM twin.emptied_build WHERE v = 1")).isEmpty();
    node.cql("INSERT INTO twin.emptied_build (k, v) VALUES (1, 1)");
    assertThat(node.rows("SELECT k FROM twin.emptied_build WHERE v = 1")).containsExactly("k=1");
  }

  /** As Cassandra asks for it, with the lock of the table's flushes in hand. */
  @Test
  void should_hold_up_no_flush_and_index_what_is_written_meanwhile() throws Exception {
    ColumnFamilyStore table = create("flipped_build");
    try (HeldWork build = held(table, PARTITIONS / 2)) {
      assertThat(progress(table)).isOne();
      FutureTask<?> flush =
          new FutureTask<>(
              () -> table.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED));
      new Thread(flush, "flush").start();
      flush.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      for (int k = 0; k < PARTITIONS; k++) {
        node.cql("UPDATE twin.flipped_build SET v = 3 WHERE k = " + k);
        node.cql("UPDATE twin.flipped_build SET v = 2 WHERE k = " + k);
      }
      node.cql("DELETE FROM twin.flipped_build WHERE k = 0");
      build.ends();
    }
    assertThat(progress(table)).isZero();
    assertThat(node.rows("SELECT k FROM twin.flipped_build WHERE v = 2")).hasSize(PARTITIONS - 1);
    assertThat(node.rows("SELECT k FROM twin.flipped_build WHERE v = 1")).isEmpty();
    assertThat(node.rows("SELECT k FROM twin.flipped_build WHERE v = 3")).isEmpty();
  }

  @Test
  void should_index_all_rows_when_they_move_meanwhile() throws Exception {
    ColumnFamilyStore table = create("leaving");
    StoredTable memtable = memtable(table);
    try (HeldWork build = held(table, PARTITIONS / 2)) {
      node.cql("ALTER TABLE twin.leaving WITH memtable = 'default'");
      await(() -> memtable.store().use() == null);
      build.ends();
    }
    assertThat(node.rows("SELECT k FROM twin.leaving WHERE v = 1")).hasSize(PARTITIONS);
  }

  @Test
  void should_end_when_the_index_or_the_table_is_dropped_meanwhile() throws Exception {
    ColumnFamilyStore table = create("shrinking");
    try (HeldWork build = held(table, 1)) {
      node.cql("DROP INDEX twin.shrinking_v");
      build.ends();
    }
    assertThat(table.indexManager.listIndexes()).isEmpty();
    node.cql("CREATE INDEX shrinking_v ON twin.shrinking (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(table);
    assertThat(node.rows("SELECT k FROM twin.shrinking WHERE v = 1")).hasSize(PARTITIONS);
    try (HeldWork build = held(table, 1)) {
      interrupts(build, table, "DROP TABLE twin.shrinking");
    }
  }

  private void interrupts(HeldWork build, ColumnFamilyStore table, String statement)
      throws Exception {
    FutureTask<?> change = new FutureTask<>(() -> node.cql(statement));
    new Thread(change, "change").start();
    await(() -> builds(table).stream().allMatch(CompactionInfo.Holder::isStopRequested));
    build.fails("Compaction interrupted");
    change.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** Ten rows with 1, and an index that has lost their entries. */
  private ColumnFamilyStore create(String name) {
    node.cql("CREATE TABLE twin." + name + " (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    ColumnFamilyStore table = node.store("twin", name);
    node.cql("CREATE INDEX " + name + "_v ON twin." + name + " (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(table);
    for (int k = 0; k < PARTITIONS; k++) {
      node.cql("INSERT INTO twin." + name + " (k, v) VALUES (" + k + ", 1)");
    }
    table.indexManager.getAllIndexColumnFamilyStores().forEach(ColumnFamilyStore::truncateBlocking);
    assertThat(node.rows("SELECT k FROM twin." + name + " WHERE v = 1")).isEmpty();
    return table;
  }

  private static HeldWork held(ColumnFamilyStore table, int partitions)
      throws InterruptedException {
    return new HeldWork(
        partitions,
        step -> {
          synchronized (table.getTracker()) {
            IndexBuild.run(table, memtable(table), index -> true, step);
          }
          return 1;
        });
  }

  private static List<CompactionInfo.Holder> builds(ColumnFamilyStore table) {
    return CompactionManager.instance.active.getCompactions().stream()
        .filter(each -> each.getCompactionInfo().getTaskType() == OperationType.INDEX_BUILD)
        .filter(each -> each.getCompactionInfo().getTable().equals(Optional.of(table.name)))
        .collect(Collectors.toList());
  }

  private static int progress(ColumnFamilyStore table) {
    return builds(table).size();
  }

  @Test
  void should_build_it_again_at_the_start_when_the_node_dies_meanwhile() throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("killed_build"));
    try (NodeProcess killed = NodeProcess.start(settings)) {
      killed.cql(KEYSPACE);
      killed.cql(
          "CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text) WITH memtable = 'rocksdb'");
      call(killed, "fill", "k.t", "0", "2000");
      die(killed, "createAndDie", "index");
    }
    try (NodeProcess started = NodeProcess.start(settings)) {
      await(() -> call(started, "builtIndexes", "k", "t").equals(List.of("v")));
      List<String> expected = started.cql("SELECT k FROM k.t WHERE v = 1 ALLOW FILTERING");
      assertThat(started.cql("SELECT k FROM k.t WHERE v = 1")).hasSameSizeAs(expected).hasSize(286);
      assertThat(call(started, "dataFiles", "k", "t")).containsExactly("0");
    }
  }

  @Test
  void should_not_wait_for_a_sync_of_the_log_with_each_entry() throws IOException {
    assertThat(ROWS * PERIOD_SECONDS).isGreaterThan(2 * (int) PATIENCE.toSeconds());
    Map<String, String> parameters =
        TestNode.parameters(Map.of("sync", "group", "sync_period", PERIOD_SECONDS + "s"));
    NodeSettings settings =
        TestNode.settings(TestNode.newDirectory("built"))
            .memtable("rocksdb", RocksMemtable.class.getName(), parameters);
    try (NodeProcess waiting = NodeProcess.start(settings)) {
      waiting.cql(KEYSPACE);
      waiting.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      call(waiting, "fill", "k.t", "0", Integer.toString(ROWS));
      waiting.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
      waiting.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
      await(() -> call(waiting, "builtIndexes", "k", "t").equals(List.of("v")));
      assertThat(waiting.cql("SELECT k FROM k.t WHERE v = 1"))
          .containsExactlyInAnyOrder("k=1", "k=8", "k=15");
      assertThat(call(waiting, "tablesInRocks")).containsExactly("k/t.v");
    }
  }
}
