/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.operation.OlderIndexes;
import io.curtail.engine.operation.StoredTable;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.junit.jupiter.api.Test;

/** Legacy indexes that are older than their table is in RocksDB. */
class OlderIndexTest {
  private final EmbeddedNode shared = TestNode.start();

  @Test
  void should_flush_the_index_when_its_table_is_asked_to_flush() {
    shared.cql("CREATE TABLE twin.aged (k int PRIMARY KEY, v int)");
    try {
      shared.cql("CREATE INDEX aged_v ON twin.aged (v) USING 'legacy_local_table'");
      ColumnFamilyStore table = shared.store("twin", "aged");
      TestNode.awaitIndex(table);
      shared.cql("ALTER TABLE twin.aged WITH memtable = 'rocksdb'");
      shared.cql("INSERT INTO twin.aged (k, v) VALUES (1, 7)");
      shared.cql("INSERT INTO twin.aged (k, v) VALUES (2, 7)");
      table.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
      ColumnFamilyStore index =
          table.indexManager.getAllIndexColumnFamilyStores().iterator().next();
      assertThat(index.getLiveSSTables()).hasSize(1);
      assertThat(table.getLiveSSTables()).isEmpty();
      shared.cql("UPDATE twin.aged SET v = 8 WHERE k = 2");
      assertThat(shared.rows("SELECT k FROM twin.aged WHERE v = 7")).containsExactly("k=1");
      assertThat(shared.rows("SELECT k FROM twin.aged WHERE v = 8")).containsExactly("k=2");
      await(() -> NodeActions.isCommitLogReleased().equals("true"));
    } finally {
      shared.cql("DROP TABLE twin.aged");
    }
  }

  @Test
  void should_free_memory_and_commit_log_and_keep_all_entries_when_nobody_asks()
      throws IOException {
    NodeSettings settings = settings("aged").yaml("memtable_heap_space", "16MiB");
    try (NodeProcess node = NodeProcess.start(settings)) {
      create(node);
      node.cql("INSERT INTO k.t (k, v) VALUES (1, 'first')");
      node.cql("INSERT INTO k.other (k, v) VALUES (1, 'first')");
      call(node, "fillIndexed", "k.t", "2", "200");
      await(() -> !call(node, "dataFiles", "k", "t").equals(List.of("0")));
      await(() -> call(node, "isCommitLogReleased").equals(List.of("true")));
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t WHERE v = 'first'")).containsExactly("k=1");
      assertThat(node.cql("SELECT k FROM k.t")).hasSize(199);
      assertThat(node.cql("SELECT k FROM k.other")).containsExactly("k=1");
    }
  }

  @Test
  void should_leave_no_commit_log_when_the_node_is_drained() throws IOException {
    NodeSettings settings = settings("aged_drained");
    try (NodeProcess node = NodeProcess.start(settings)) {
      create(node);
      node.cql("INSERT INTO k.t (k, v) VALUES (1, 'first')");
      node.cql("INSERT INTO k.other (k, v) VALUES (1, 'first')");
      call(node, "drain");
      assertThat(Files.readString(settings.directory().resolve("logs/system.log")))
          .contains("DRAINED")
          .doesNotContain("Failed to force-recycle");
      node.kill();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t WHERE v = 'first'")).containsExactly("k=1");
    }
  }

  /** Of the same writes. */
  @Test
  void should_keep_the_commit_log_for_an_index_when_only_another_was_flushed() {
    ColumnFamilyStore table = createTwoIndexes("twoaged");
    try {
      shared.cql("INSERT INTO twin.twoaged (k, v, w) VALUES (1, 7, 8)");
      Iterator<ColumnFamilyStore> indexes =
          table.indexManager.getAllIndexColumnFamilyStores().iterator();
      ColumnFamilyStore index = indexes.next();
      index.forceBlockingFlush(FlushReason.USER_FORCED);
      assertThat(index.getLiveSSTables()).hasSize(1);
      assertThat(isInCommitLog(table)).isTrue();
      indexes.next().forceBlockingFlush(FlushReason.USER_FORCED);
      await(
          () -> {
            Engine.running().watch.look();
            return !isInCommitLog(table);
          });
      assertThat(shared.rows("SELECT k FROM twin.twoaged WHERE v = 7")).containsExactly("k=1");
      assertThat(shared.rows("SELECT k FROM twin.twoaged WHERE w = 8")).containsExactly("k=1");
    } finally {
      shared.cql("DROP TABLE twin.twoaged");
    }
  }

  @Test
  void should_keep_the_commit_log_when_the_flush_of_an_index_fails() {
    ColumnFamilyStore table = createTwoIndexes("failingaged");
    ColumnFamilyStore failing =
        table.indexManager.getAllIndexColumnFamilyStores().iterator().next();
    INotificationConsumer failure =
        (notification, sender) -> {
          if (notification instanceof SSTableAddedNotification) {
            throw new IllegalStateException("a flush that fails");
          }
        };
    failing.getTracker().subscribe(failure);
    try {
      shared.cql("INSERT INTO twin.failingaged (k, v, w) VALUES (1, 7, 8)");
      StoredTable memtable = TestNode.memtable(table);
      synchronized (Engine.running().watch) { // which would find all entries in a file
        OlderIndexes.flush(table, memtable, FlushReason.DRAIN);
        assertThat(isInCommitLog(table)).isTrue();
      }
      failing.getTracker().unsubscribe(failure);
      OlderIndexes.flush(table, memtable, FlushReason.DRAIN);
      assertThat(isInCommitLog(table)).isFalse();
    } finally {
      failing.getTracker().unsubscribe(failure);
      shared.cql("DROP TABLE twin.failingaged");
    }
  }

  @Test
  void should_give_up_the_commit_log_while_entries_are_written_all_the_time() throws Exception {
    ColumnFamilyStore table = createTwoIndexes("busyaged");
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    Thread writer =
        new Thread(
            () -> {
              while (!isOver.get()) {
                int k = written.incrementAndGet();
                shared.cql(
                    String.format(
                        "INSERT INTO twin.busyaged (k, v, w) VALUES (%d, %d, %d)", k, k, k));
              }
            },
            "writer");
    writer.start();
    try {
      await(() -> written.get() > 10);
      List<String> before = CommitLog.instance.getActiveSegmentNames();
      CommitLog.instance.forceRecycleAllSegments();
      await(
          () -> {
            OlderIndexes.flush(table, TestNode.memtable(table), FlushReason.DRAIN);
            return Collections.disjoint(before, CommitLog.instance.getActiveSegmentNames());
          });
      assertThat(writer.isAlive()).isTrue();
    } finally {
      isOver.set(true);
      writer.join();
      shared.cql("DROP TABLE twin.busyaged");
    }
  }

  private ColumnFamilyStore createTwoIndexes(String name) {
    shared.cql("CREATE TABLE twin." + name + " (k int PRIMARY KEY, v int, w int)");
    ColumnFamilyStore table = shared.store("twin", name);
    for (String column : List.of("v", "w")) {
      String index = name + "_" + column;
      shared.cql(
          String.format(
              "CREATE INDEX %s ON twin.%s (%s) USING 'legacy_local_table'", index, name, column));
      await(() -> table.getBuiltIndexes().contains(index));
    }
    shared.cql("ALTER TABLE twin." + name + " WITH memtable = 'rocksdb'");
    return table;
  }

  private static boolean isInCommitLog(ColumnFamilyStore table) {
    return CommitLog.instance.segmentManager.getActiveSegments().stream()
        .anyMatch(segment -> segment.getDirtyTableIds().contains(table.metadata.id));
  }

  private static NodeSettings settings(String directory) {
    return TestNode.synced(TestNode.settings(TestNode.newDirectory(directory)));
  }

  private static void create(NodeProcess node) throws IOException {
    node.cql(KEYSPACE);
    node.cql("CREATE TABLE k.other (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
    node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v text)");
    node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
    await(() -> call(node, "builtIndexes", "k", "t").equals(List.of("v")));
    node.cql("ALTER TABLE k.t WITH memtable = 'rocksdb'");
  }
}
