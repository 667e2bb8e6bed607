/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.curtail.engine.operation.Absorb;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.FilesAwaited;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.TimeUUID;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes on around a table whose data files are taken into RocksDB. */
class AbsorbTest {
  private static final int PARTITIONS = 500;
  private static final AtomicInteger TABLES = new AtomicInteger();

  private final EmbeddedNode node = TestNode.start();
  private final String name = "absorbed" + TABLES.incrementAndGet();
  private final String table = "twin." + name;
  private EngineControl control;
  private ColumnFamilyStore store;

  @BeforeEach
  void create() {
    node.cql(
        "CREATE TABLE "
            + table
            + " (p int, c int, v int, PRIMARY KEY (p, c)) WITH compaction = {'class':"
            + " 'SizeTieredCompactionStrategy', 'enabled': false}");
    store = node.store("twin", name);
    fill();
    moveTo("rocksdb");
    await(() -> store.getLiveSSTables().size() == 1);
    control = new EngineControl(Engine.running());
  }

  private void fill() {
    for (int p = 0; p < PARTITIONS; p++) {
      node.cql("INSERT INTO " + table + " (p, c, v) VALUES (" + p + ", 1, 1)");
    }
  }

  private void moveTo(String memtable) {
    node.cql("ALTER TABLE " + table + " WITH memtable = '" + memtable + "'");
  }

  private HeldWork slow() throws InterruptedException {
    return slow(20);
  }

  private HeldWork slow(int steps) throws InterruptedException {
    return new HeldWork(steps, held -> Absorb.run(store, bytes -> held.run()));
  }

  private TableStore rocks() {
    return TestNode.memtable(store).store();
  }

  private List<String> rows() {
    return node.rows("SELECT p FROM " + table);
  }

  @Test
  void should_end_when_the_table_is_emptied_dropped_or_moved() throws Exception {
    for (String statement :
        List.of("TRUNCATE #", "ALTER TABLE # WITH memtable = 'default'", "DROP TABLE #")) {
      FutureTask<Object> done = new FutureTask<>(() -> node.cql(statement.replace("#", table)));
      try (HeldWork absorption = slow()) {
        TableStore before = rocks();
        new Thread(done, "statement").start();
        await(() -> before.state() != GenerationState.SERVING);
        absorption.fails("meanwhile, and is no more absorbed");
      }
      done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (statement.startsWith("TRUNCATE")) {
        assertThat(rows()).isEmpty();
        moveTo("default");
        fill();
        moveTo("rocksdb");
      } else if (statement.startsWith("ALTER")) {
        assertThat(rows()).hasSize(PARTITIONS);
        store.forceMajorCompaction();
        assertThat(rows()).hasSize(PARTITIONS);
        moveTo("rocksdb");
      }
      await(() -> store.getTracker().getCompacting().isEmpty());
    }
    assertThat(store.getLiveSSTables()).isEmpty();
  }

  @Test
  void should_leave_no_row_out_of_an_index_that_is_built_meanwhile() throws Exception {
    try (HeldWork absorption = slow()) {
      node.cql("CREATE INDEX " + name + "_v ON " + table + " (v) USING 'legacy_local_table'");
      TestNode.awaitIndex(store);
      absorption.ends();
    }
    assertThat(store.getLiveSSTables()).isEmpty();
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 1")).hasSize(PARTITIONS);
  }

  /** What it discards then are the data files of before, whatever was read of them meanwhile. */
  @Test
  void should_refuse_while_the_table_is_emptied() throws Exception {
    for (boolean isWritten : new boolean[] {false, true}) {
      if (isWritten) {
        moveTo("default");
        fill();
        moveTo("rocksdb");
        await(() -> store.getLiveSSTables().size() == 1);
        node.cql("INSERT INTO " + table + " (p, c) VALUES (0, 0)");
      }
      FutureTask<?> truncation = new FutureTask<>(store::truncateBlocking, null);
      Thread thread = new Thread(truncation, "truncation");
      OpOrder.Group unfinished = Keyspace.writeOrder.start();
      try {
        // Cassandra ends flushes in their order.
        Future<?> unused = other().forceFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
        thread.start();
        await(() -> isIn(thread, "waitOnFuture"));
        assertThatThrownBy(() -> control.absorb("twin", name))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("is emptied now");
      } finally {
        unfinished.close();
      }
      truncation.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(rows()).isEmpty();
    }
    moveTo("default");
    fill();
    moveTo("rocksdb");
    await(() -> store.getLiveSSTables().size() == 1);
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(rows()).hasSize(PARTITIONS);
  }

  /** A table with a row in memory. */
  private ColumnFamilyStore other() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.other_" + name + " (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin.other_" + name + " (k) VALUES (1)");
    return node.store("twin", "other_" + name);
  }

  private static boolean isIn(Thread thread, String method) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals(method));
  }

  @Test
  void should_give_up_when_rows_of_before_do_not_come_to_data_files() throws Exception {
    moveTo("default");
    fill();
    FutureTask<Long> absorption =
        new FutureTask<>(() -> Absorb.run(store, bytes -> {}, Duration.ofMillis(100)));
    OpOrder.Group unfinished = Keyspace.writeOrder.start();
    try {
      moveTo("rocksdb");
      new Thread(absorption, "absorb").start();
      assertThatThrownBy(() -> absorption.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .hasStackTraceContaining("are still not in data files");
    } finally {
      unfinished.close();
    }
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(rows()).hasSize(PARTITIONS);
  }

  /** Cassandra has made sure that no file is being compacted, and rests on it. */
  @Test
  void should_take_no_file_while_compactions_are_paused() throws Exception {
    AtomicReference<HeldWork> absorption = new AtomicReference<>();
    Set<SSTableReader> compacting =
        store.runWithCompactionsDisabled(
            () -> {
              absorption.set(slow(1));
              return Set.copyOf(store.getTracker().getCompacting());
            },
            OperationType.P0,
            true,
            true);
    absorption.get().ends();
    assertThat(compacting).isEmpty();
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_refuse_a_table_that_is_copied_and_end_when_a_copy_is_begun() throws Exception {
    node.cql("INSERT INTO " + table + " (p, c, v) VALUES (1, 1, 1)");
    try (HeldWork absorption = slow()) {
      assertThat(control.copyOut("twin", name)).isPositive();
      absorption.fails("is copied to Cassandra's data files");
    }
    assertThatThrownBy(() -> control.absorb("twin", name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is copied to Cassandra's data files");
    moveTo("default");
    await(
        () ->
            Engine.running().database.generations.tables().stream()
                .noneMatch(t -> t.contains(name)));
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_refuse_when_an_index_is_not_built() {
    node.cql("CREATE INDEX " + name + "_v ON " + table + " (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(store);
    SystemKeyspace.setIndexRemoved("twin", name + "_v");
    assertThatThrownBy(() -> control.absorb("twin", name))
        .hasMessageContaining("the index " + name + "_v on " + table + " is not built");
    assertThat(store.getLiveSSTables()).isNotEmpty();
  }

  @Test
  void should_index_what_was_absorbed_when_nobody_has_written_since() throws Exception {
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    node.cql("CREATE INDEX " + name + "_v ON " + table + " (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(store);
    assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 1")).hasSize(PARTITIONS);
  }

  @Test
  void should_take_the_other_files_when_one_is_of_a_repair_that_goes_on() throws Exception {
    fill();
    moveTo("default");
    await(() -> store.getLiveSSTables().size() == 2);
    moveTo("rocksdb");
    SSTableReader ofRepair = store.getLiveSSTables().iterator().next();
    ofRepair.mutateRepairedAndReload(0, TimeUUID.Generator.nextTimeUUID(), false);
    assertThatThrownBy(() -> control.absorb("twin", name))
        .hasMessageContaining("is of an incremental repair that goes on");
    assertThat(store.getLiveSSTables()).containsExactly(ofRepair);
    ofRepair.mutateRepairedAndReload(0, null, false);
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(rows()).hasSize(PARTITIONS);
  }

  /** An incremental repair reads all rows in RocksDB, and no file that is repaired. */
  @Test
  void should_count_as_not_repaired_once_there_are_rows_beside_it() throws Exception {
    SSTableReader file = store.getLiveSSTables().iterator().next();
    store.getCompactionStrategyManager().mutateRepaired(Set.of(file), 1, null, false);
    Engine.running().watch.look();
    assertThat(file.isRepaired()).isTrue();
    node.cql("INSERT INTO " + table + " (p, c) VALUES (1, 2)");
    await(
        () -> {
          Engine.running().watch.look();
          return !file.isRepaired();
        });
    assertThat(store.getLiveSSTables()).containsExactly(file);
    assertThat(store.getTracker().getCompacting()).isEmpty();
  }

  @Test
  void should_take_the_other_files_when_one_is_damaged() throws Exception {
    fill();
    moveTo("default");
    await(() -> store.getLiveSSTables().size() == 2);
    moveTo("rocksdb");
    SSTableReader damaged = store.getLiveSSTables().iterator().next();
    Path data = damaged.descriptor.fileFor(SSTableFormat.Components.DATA).toPath();
    try (FileChannel file = FileChannel.open(data, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(64), Files.size(data) / 2);
    }
    assertThatThrownBy(() -> control.absorb("twin", name)).isInstanceOf(IOException.class);
    for (int again = 0; again < 2; again++) {
      assertThatThrownBy(() -> control.absorb("twin", name))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(damaged.getFilename() + " is damaged");
      assertThat(store.getLiveSSTables()).containsExactly(damaged);
    }
    node.cql("DROP TABLE " + table);
  }

  @Test
  void should_refuse_when_the_disk_has_no_room() throws Exception {
    double before = DatabaseDescriptor.getMaxSpaceForCompactionsPerDrive();
    DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(0);
    try {
      assertThatThrownBy(() -> control.absorb("twin", name))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make room, then absorb again");
    } finally {
      DatabaseDescriptor.setMaxSpaceForCompactionsPerDrive(before);
    }
    assertThat(store.getLiveSSTables()).hasSize(1);
    assertThat(rows()).hasSize(PARTITIONS);
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_be_shown_and_ended_by_nodetool_and_go_on_when_asked_again() throws Exception {
    stopWhileAbsorbing(
        () -> {
          assertThat(CompactionManager.instance.getCompactions())
              .anyMatch(
                  shown ->
                      "twin".equals(shown.get("keyspace"))
                          && name.equals(shown.get("columnfamily")));
          assertThatThrownBy(() -> control.absorb("twin", name))
              .hasMessageContaining("goes on already");
          CompactionManager.instance.stopCompaction("COMPACTION");
        });
    assertThat(control.getProgress()).isEmpty();
    assertThat(rows()).hasSize(PARTITIONS);
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(store.getLiveSSTables()).isEmpty();
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_make_way_for_an_incremental_repair() throws Exception {
    makeWayForRepair(() -> {});
  }

  @Test
  void should_make_way_for_an_incremental_repair_when_the_table_is_altered_meanwhile()
      throws Exception {
    makeWayForRepair(() -> node.cql("ALTER TABLE " + table + " WITH comment = 'another'"));
  }

  private void makeWayForRepair(Runnable before) throws Exception {
    // As Cassandra takes the files of a repair; null if something must go on.
    FutureTask<Boolean> repair =
        new FutureTask<>(
            () ->
                store.runWithCompactionsDisabled(
                    () -> true, file -> true, OperationType.ANTICOMPACTION, false, false, false));
    stopWhileAbsorbing(
        () -> {
          before.run();
          new Thread(repair, "repair").start();
          await(() -> repair.isDone() || isStopRequested());
        });
    assertThat(repair.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_make_way_when_an_index_is_dropped_whose_files_are_absorbed() throws Exception {
    node.cql("CREATE INDEX " + name + "_v ON " + table + " (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(store);
    moveTo("default");
    fill();
    moveTo("rocksdb");
    ColumnFamilyStore index = store.indexManager.getAllIndexColumnFamilyStores().iterator().next();
    await(() -> !index.getLiveSSTables().isEmpty());
    FutureTask<?> drop = new FutureTask<>(() -> node.cql("DROP INDEX twin." + name + "_v"));
    stopWhileAbsorbing(
        index,
        1,
        () -> {
          await(() -> store.getLiveSSTables().isEmpty());
          new Thread(drop, "drop").start();
          await(
              () ->
                  drop.isDone()
                      || CompactionManager.instance.active.getCompactions().stream()
                          .anyMatch(CompactionInfo.Holder::isStopRequested));
        });
    drop.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(rows()).hasSize(PARTITIONS);
  }

  /** Absorbs, and stands still at a partition until it is asked to stop. */
  private void stopWhileAbsorbing(Runnable stop) throws Exception {
    stopWhileAbsorbing(store, 7, stop);
  }

  private void stopWhileAbsorbing(ColumnFamilyStore at, int partition, Runnable stop)
      throws Exception {
    TableStore rocks = TestNode.memtable(at).store();
    Lock lock =
        rocks.locks.exclusive(rocks.keys.encode(at.decorateKey(ByteBufferUtil.bytes(partition))));
    FutureTask<Long> absorption = new FutureTask<>(() -> control.absorb("twin", name));
    lock.lock();
    try {
      new Thread(absorption, "absorb").start();
      await(() -> control.getProgress().getOrDefault("absorb " + table, 0.0) > 0);
      stop.run();
    } finally {
      lock.unlock();
    }
    assertThatThrownBy(() -> absorption.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasStackTraceContaining("was stopped");
  }

  private boolean isStopRequested() {
    return CompactionManager.instance.active.getCompactions().stream()
        .anyMatch(
            task ->
                name.equals(task.getCompactionInfo().getTable().orElse(""))
                    && task.isStopRequested());
  }

  @Test
  void should_keep_the_file_while_a_snapshot_has_rocksdb_and_not_yet_the_file() throws Exception {
    FutureTask<Long> absorption;
    rocks().filesAwaited.begin();
    try {
      absorption = new FutureTask<>(() -> control.absorb("twin", name));
      new Thread(absorption, "absorb").start();
      await(() -> control.getProgress().getOrDefault("absorb " + table, 0.0) > 0.9);
      Uninterruptibles.sleepUninterruptibly(2 * FilesAwaited.GRACE_NANOS, TimeUnit.NANOSECONDS);
      store.snapshotWithoutMemtable("meanwhile");
    } finally {
      rocks().filesAwaited.end();
    }
    assertThat(absorption.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
    Path snapshot =
        store.getDirectories().getDirectoryForNewSSTables().toPath().resolve("snapshots/meanwhile");
    try (var files = Files.list(snapshot)) {
      assertThat(files).anyMatch(file -> file.toString().endsWith("-Data.db"));
    }
  }
}
