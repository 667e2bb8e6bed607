/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import io.curtail.engine.operation.Absorb;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.FilesAwaited;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes on around a table whose data files are taken into RocksDB. */
class AbsorbTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
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
    node.cql("ALTER TABLE " + table + " WITH memtable = 'rocksdb'");
    await().atMost(TIMEOUT).until(() -> store.getLiveSSTables().size() == 1);
    control = new EngineControl(Engine.running());
  }

  private void fill() {
    for (int p = 0; p < PARTITIONS; p++) {
      node.cql("INSERT INTO " + table + " (p, c, v) VALUES (" + p + ", 1, 1)");
    }
  }

  private TableStore rocks() {
    return ((RocksMemtable) store.getTracker().getView().getCurrentMemtable()).store();
  }

  private List<String> rows() {
    return node.rows("SELECT p FROM " + table);
  }

  @Test
  void should_end_when_the_table_is_emptied_dropped_or_moved() throws Exception {
    for (String statement :
        List.of(
            "TRUNCATE #",
            "ALTER TABLE # WITH memtable = 'default'",
            "CREATE INDEX " + name + "_v ON # (v) USING 'legacy_local_table'",
            "DROP TABLE #")) {
      FutureTask<Object> done = new FutureTask<>(() -> node.cql(statement.replace("#", table)));
      try (Slow absorption = new Slow(20)) {
        TableStore before = rocks();
        new Thread(done, "statement").start();
        await().atMost(TIMEOUT).until(() -> before.state() != GenerationState.SERVING);
        absorption.fails("meanwhile, and is no more absorbed");
      }
      done.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      if (statement.startsWith("TRUNCATE")) {
        assertThat(rows()).isEmpty();
        node.cql("ALTER TABLE " + table + " WITH memtable = 'default'");
        fill();
        node.cql("ALTER TABLE " + table + " WITH memtable = 'rocksdb'");
      } else if (statement.startsWith("ALTER")) {
        assertThat(rows()).hasSize(PARTITIONS);
        store.forceMajorCompaction();
        assertThat(rows()).hasSize(PARTITIONS);
        node.cql("ALTER TABLE " + table + " WITH memtable = 'rocksdb'");
      } else if (statement.startsWith("CREATE")) {
        await().atMost(TIMEOUT).until(() -> store.getBuiltIndexes().size() == 1);
        assertThat(node.rows("SELECT p FROM " + table + " WHERE v = 1")).hasSize(PARTITIONS);
      }
      await().atMost(TIMEOUT).until(() -> store.getTracker().getCompacting().isEmpty());
    }
    assertThat(store.getLiveSSTables()).isEmpty();
  }

  @Test
  void should_refuse_a_table_that_is_copied_and_end_when_a_copy_is_begun() throws Exception {
    try (Slow absorption = new Slow(20)) {
      assertThat(control.copyOut("twin", name)).isPositive();
      absorption.fails("is copied to Cassandra's data files");
    }
    assertThatThrownBy(() -> control.absorb("twin", name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is copied to Cassandra's data files");
    node.cql("ALTER TABLE " + table + " WITH memtable = 'default'");
    await()
        .atMost(TIMEOUT)
        .until(
            () ->
                Engine.running().database.generations.tables().stream()
                    .noneMatch(t -> t.contains(name)));
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_refuse_when_an_index_is_not_built() {
    node.cql("CREATE INDEX " + name + "_v ON " + table + " (v) USING 'legacy_local_table'");
    await().atMost(TIMEOUT).until(() -> store.getBuiltIndexes().size() == 1);
    SystemKeyspace.setIndexRemoved("twin", name + "_v");
    assertThatThrownBy(() -> control.absorb("twin", name))
        .hasMessageContaining("the index " + name + "_v on " + table + " is not built");
    assertThat(store.getLiveSSTables()).isNotEmpty();
  }

  @Test
  void should_refuse_when_the_disk_has_no_room() throws Exception {
    long before = DatabaseDescriptor.getMinFreeSpacePerDriveInMebibytes();
    DatabaseDescriptor.setMinFreeSpacePerDriveInMebibytes(1 << 30);
    try {
      assertThatThrownBy(() -> control.absorb("twin", name))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make room, then absorb again");
    } finally {
      DatabaseDescriptor.setMinFreeSpacePerDriveInMebibytes(before);
    }
    assertThat(store.getLiveSSTables()).hasSize(1);
    assertThat(rows()).hasSize(PARTITIONS);
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_be_shown_and_ended_by_nodetool_and_go_on_when_asked_again() throws Exception {
    TableStore rocks = rocks();
    Lock lock =
        rocks.locks.exclusive(rocks.keys.encode(store.decorateKey(ByteBufferUtil.bytes(7))));
    FutureTask<Long> absorption = new FutureTask<>(() -> control.absorb("twin", name));
    lock.lock();
    try {
      new Thread(absorption, "absorb").start();
      await()
          .atMost(TIMEOUT)
          .until(() -> control.getProgress().getOrDefault("absorb " + table, 0.0) > 0);
      assertThat(CompactionManager.instance.getCompactions())
          .anyMatch(
              shown ->
                  "twin".equals(shown.get("keyspace")) && name.equals(shown.get("columnfamily")));
      assertThatThrownBy(() -> control.absorb("twin", name))
          .hasMessageContaining("goes on already");
      CompactionManager.instance.stopCompaction("RELOCATE");
    } finally {
      lock.unlock();
    }
    assertThatThrownBy(() -> absorption.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
        .hasStackTraceContaining("was stopped");
    assertThat(control.getProgress()).isEmpty();
    assertThat(rows()).hasSize(PARTITIONS);
    assertThat(control.absorb("twin", name)).isEqualTo(1);
    assertThat(store.getLiveSSTables()).isEmpty();
    assertThat(rows()).hasSize(PARTITIONS);
  }

  @Test
  void should_keep_the_file_while_a_snapshot_has_rocksdb_and_not_yet_the_file() throws Exception {
    FutureTask<Long> absorption;
    rocks().filesAwaited.begin();
    try {
      absorption = new FutureTask<>(() -> control.absorb("twin", name));
      new Thread(absorption, "absorb").start();
      await()
          .atMost(TIMEOUT)
          .until(() -> control.getProgress().getOrDefault("absorb " + table, 0.0) > 0.9);
      Uninterruptibles.sleepUninterruptibly(2 * FilesAwaited.GRACE_NANOS, TimeUnit.NANOSECONDS);
      store.snapshotWithoutMemtable("meanwhile");
    } finally {
      rocks().filesAwaited.end();
    }
    assertThat(absorption.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
    Path snapshot =
        store.getDirectories().getDirectoryForNewSSTables().toPath().resolve("snapshots/meanwhile");
    try (var files = Files.list(snapshot)) {
      assertThat(files).anyMatch(file -> file.toString().endsWith("-Data.db"));
    }
  }

  /** An absorption that stands still at one of its steps for as long as the test wants. */
  private final class Slow implements AutoCloseable {
    private final FutureTask<Long> absorption =
        new FutureTask<>(() -> Absorb.run(store, this::standStill));

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger left = new AtomicInteger();

    Slow(int steps) throws InterruptedException {
      left.set(steps);
      new Thread(absorption, "absorb").start();
      assertThat(begun.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private void standStill(long bytes) {
      if (left.decrementAndGet() == 0) {
        begun.countDown();
        Uninterruptibles.awaitUninterruptibly(mayEnd);
      }
    }

    void fails(String why) {
      mayEnd.countDown();
      assertThatThrownBy(() -> absorption.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasStackTraceContaining(why);
    }

    @Override
    public void close() {
      mayEnd.countDown();
    }
  }
}
