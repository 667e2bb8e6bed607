/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.CopyOut;
import io.curtail.engine.table.ChangedPartitions;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.waiting.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table that is copied to Cassandra's data files before it moves there. */
class CopyOutTest {
  /** For copies of hundreds of thousands of partitions, also on a machine ten times as slow. */
  private static final Duration PATIENCE = Waiting.PATIENCE.multipliedBy(5);

  private static final int PARTITIONS = 2_000;
  private static final int STATIC_ROWS = 5;
  private static final String PADDING = "x".repeat(1_000);
  private static final AtomicInteger TABLES = new AtomicInteger();

  /** More than the partitions of the table. */
  private static final int MOST_CHANGES = 10_000;

  private final EmbeddedNode node = TestNode.start();
  private final String name = "copied" + TABLES.incrementAndGet();
  private final String table = "twin." + name;
  private EngineControl control;
  private ColumnFamilyStore store;

  @BeforeEach
  void create() {
    node.cql(
        "CREATE TABLE "
            + table
            + " (p int, c int, v int, padding text, s int STATIC, PRIMARY KEY (p, c)) WITH memtable"
            + " = 'rocksdb' AND gc_grace_seconds = 0 AND compaction = {'class':"
            + " 'SizeTieredCompactionStrategy', 'enabled': false}");
    node.cql("CREATE INDEX " + name + "_v ON " + table + " (v) USING 'legacy_local_table'");
    store = node.store("twin", name);
    control = new EngineControl(Engine.running());
    for (int p = 0; p < PARTITIONS; p++) {
      PartitionUpdate.SimpleBuilder row = PartitionUpdate.simpleBuilder(store.metadata(), p);
      row.row(1).add("v", p % 7).add("padding", PADDING);
      row.buildAsMutation().apply();
    }
    for (int p = 0; p < STATIC_ROWS; p++) {
      node.cql("UPDATE " + table + " SET s = 1 WHERE p = " + p);
    }
  }

  private void insert(int p, int c, int v) {
    node.cql(
        String.format(
            "INSERT INTO %s (p, c, v, padding) VALUES (%d, %d, %d, '%s')",
            table, p, c, v, PADDING));
  }

  /** Of each kind of write, to partitions that are copied already. */
  private void change() throws IOException {
    insert(1, 2, 100);
    insert(2, 1, 100);
    insert(PARTITIONS, 1, 100);
    node.cql("DELETE FROM " + table + " WHERE p = 3");
    node.cql("DELETE FROM " + table + " WHERE p = 4 AND c > 0");
    node.cql("DELETE v FROM " + table + " WHERE p = 5 AND c = 1");
    control.sweep("twin", name);
  }

  private void checkChanged() {
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 100")).hasSize(3);
    assertThat(node.rows("SELECT p, c, v FROM " + table + " WHERE p = 3")).isEmpty();
    assertThat(node.rows("SELECT s FROM " + table + " WHERE p = 4")).containsExactly("s=1");
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 4")).hasSize(286 - 1);
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 5")).hasSize(285 - 1);
    // With one partition less, one more, and one that has two rows.
    assertThat(node.rows("SELECT p FROM " + table)).hasSize(PARTITIONS + 1);
  }

  private HeldWork slow(int partitions) throws InterruptedException {
    return slow(partitions, ChangedPartitions.MOST);
  }

  private HeldWork slow(int partitions, int mostChanges) throws InterruptedException {
    return new HeldWork(
        partitions, held -> CopyOut.run(store, (at, bytes) -> held.run(), mostChanges));
  }

  private void moveOut() {
    node.cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    for (ColumnFamilyStore each : store.concatWithIndexes()) {
      patiently()
          .atMost(PATIENCE)
          .until(
              () -> {
                View view = each.getTracker().getView();
                return view.flushingMemtables.isEmpty() && view.liveMemtables.size() == 1;
              });
    }
    patiently()
        .atMost(PATIENCE)
        .until(
            () ->
                Engine.running().database.generations.tables().stream()
                    .noneMatch(t -> t.contains(name)));
  }

  @Test
  void should_move_only_what_has_changed_when_the_table_was_copied() throws Exception {
    assertThat(control.copyOut("twin", name)).isGreaterThanOrEqualTo(PARTITIONS);
    assertThat(store.getLiveSSTables()).hasSize(1);
    change();
    checkChanged();
    moveOut();
    checkChanged();
    assertThat(store.getLiveSSTables()).hasSize(2);
    assertThat(store.getLiveSSTables().stream().mapToLong(SSTableReader::estimatedKeys))
        .anyMatch(keys -> keys > PARTITIONS / 2)
        .anyMatch(keys -> keys < PARTITIONS / 2);
    store.forceMajorCompaction();
    checkChanged();
  }

  @Test
  void should_copy_only_what_has_changed_when_it_is_copied_again() throws Exception {
    control.copyOut("twin", name);
    change();
    assertThat(control.copyOut("twin", name)).isBetween(1L, 100L);
    insert(6, 1, 100);
    node.cql("DELETE FROM " + table + " WHERE p = 2");
    moveOut();
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 100")).hasSize(3);
    assertThat(node.rows("SELECT p FROM " + table + " WHERE p = 2")).isEmpty();
    assertThat(node.rows("SELECT p FROM " + table)).hasSize(PARTITIONS);
  }

  @Test
  void should_refuse_when_the_disks_have_no_room() throws Exception {
    double before = DatabaseDescriptor.getMaxSpaceForCompactionsPerDrive();
    DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(0);
    try {
      assertThatThrownBy(() -> control.copyOut("twin", name))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("not enough room on the disks");
    } finally {
      DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(before);
    }
    assertThat(store.getLiveSSTables()).isEmpty();
    assertThat(TestNode.store(store).changes()).isNull();
    assertThat(control.copyOut("twin", name)).isGreaterThanOrEqualTo(PARTITIONS);
  }

  @Test
  void should_move_all_when_the_table_is_still_being_copied() throws Exception {
    try (HeldWork copy = slow(1)) {
      change();
      moveOut();
      copy.fails("was altered, emptied or dropped meanwhile");
    }
    checkChanged();
    assertThat(store.getLiveSSTables()).hasSize(1);
  }

  @Test
  void should_raise_nothing_when_rows_are_deleted_and_swept_while_they_are_copied()
      throws Exception {
    try (HeldWork copy = slow(PARTITIONS)) {
      change();
      // Past their grace, deletions would be purged, and what was copied before them rise.
      long deleted = FBUtilities.nowInSeconds();
      await(() -> FBUtilities.nowInSeconds() > deleted + 1);
      control.sweep("twin", name);
      copy.ends();
    }
    checkChanged();
    control.sweep("twin", name);
    checkChanged();
    moveOut();
    checkChanged();
  }

  @Test
  void should_copy_nothing_when_the_table_is_emptied_meanwhile() throws Exception {
    try (HeldWork copy = slow(1)) {
      node.cql("TRUNCATE " + table);
      copy.fails("was altered, emptied or dropped meanwhile");
    }
    assertThat(node.rows("SELECT p FROM " + table)).isEmpty();
    assertThat(store.getLiveSSTables()).isEmpty();
    insert(1, 1, 100);
    moveOut();
    assertThat(node.rows("SELECT p FROM " + table)).containsExactly("p=1");
  }

  @Test
  void should_end_while_a_flush_or_a_truncation_of_the_table_waits_for_the_copy() throws Exception {
    synchronized (store.getTracker()) { // as they do
      assertThat(
              CompletableFuture.supplyAsync(() -> CopyOut.run(store, (at, bytes) -> {}))
                  .get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isGreaterThanOrEqualTo(PARTITIONS);
    }
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 4")).hasSize(286);
    moveOut();
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 4")).hasSize(286);
  }

  @Test
  void should_flush_a_stock_table_while_another_is_copied() throws Exception {
    String stock = "beside_" + name;
    node.cql("CREATE TABLE twin." + stock + " (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin." + stock + " (k) VALUES (1)");
    ColumnFamilyStore other = node.store("twin", stock);
    try (HeldWork copy = slow(1)) {
      CompletableFuture.runAsync(
              () -> other.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED))
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(other.getLiveSSTables()).hasSize(1);
      assertThat(copy.work).isNotDone();
      copy.ends();
    }
  }

  @Test
  void should_copy_a_table_of_which_more_changes_meanwhile_than_is_noted_at_a_time()
      throws Exception {
    int changes = 3 * MOST_CHANGES / 4;
    Semaphore mayChange = new Semaphore(0);
    Semaphore mayGoOn = new Semaphore(0);
    AtomicInteger told = new AtomicInteger();
    FutureTask<Long> copy =
        new FutureTask<>(
            () ->
                CopyOut.run(
                    store,
                    (at, bytes) -> {
                      // The first partition, and the next when what had changed is copied.
                      if (told.incrementAndGet() == 1 || told.get() == changes + 2) {
                        mayChange.release();
                        mayGoOn.acquireUninterruptibly();
                      }
                    },
                    MOST_CHANGES));
    new Thread(copy, "copy").start();
    for (int turn = 1; turn <= 2; turn++) {
      assertThat(mayChange.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      change(turn * changes, changes);
      mayGoOn.release();
    }
    copy.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    change();
    moveOut();
    // In pages: on a busy machine all of them take longer than a read may.
    assertThat(node.rows("SELECT p FROM " + table, 2_000)).hasSize(2 * changes + PARTITIONS + 1);
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 100")).hasSize(3);
  }

  /** As beside a huge partition: what was not noted would be in no data file after the move. */
  @Test
  void should_give_up_when_more_changes_beside_one_partition_than_can_be_noted() throws Exception {
    int changes = MOST_CHANGES + 500;
    try (HeldWork copy = slow(1, MOST_CHANGES)) {
      change(PARTITIONS, changes);
      copy.fails("too many partitions change meanwhile");
    }
    moveOut();
    assertThat(node.rows("SELECT p FROM " + table, 2_000)).hasSize(changes + PARTITIONS);
  }

  /** Writes new partitions with little in them. */
  private void change(int from, int count) {
    for (int i = 0; i < count; i++) {
      PartitionUpdate.SimpleBuilder update =
          PartitionUpdate.simpleBuilder(store.metadata(), from + i);
      update.row(1).add("padding", "changed");
      update.buildAsMutation().apply();
    }
  }
}
