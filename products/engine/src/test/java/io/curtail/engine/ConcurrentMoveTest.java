/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.memtable;
import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.store.GenerationState;
import io.curtail.engine.store.NativeIterators;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.apache.cassandra.utils.concurrent.Refs;
import org.junit.jupiter.api.Test;

/** Streams, repairs and snapshots of tables whose rows move to Cassandra's data files meanwhile. */
class ConcurrentMoveTest {
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static final String VIEW =
      "CREATE MATERIALIZED VIEW twin.#_view AS SELECT k, v FROM twin.# WHERE k IS NOT NULL AND v IS"
          + " NOT NULL PRIMARY KEY (v, k)";

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_fail_a_stream_when_the_rows_are_gone_before_all_are_read() {
    RocksMemtable memtable = memtable(create("cut"));
    Iterator<? extends Partition> partitions = memtable.getFlushSet(null, null).iterator();
    assertThat(partitions.next().isEmpty()).isFalse();
    node.cql("ALTER TABLE twin.cut WITH memtable = 'default'");
    await(() -> memtable.store().use() == null);
    assertThatThrownBy(() -> partitions.forEachRemaining(Partition::isEmpty))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begin the stream");
  }

  /** Cassandra asks for all ranges first, and for the partitions of each in its turn. */
  @Test
  void should_fail_a_stream_when_the_rows_are_gone_between_two_ranges() {
    RocksMemtable memtable = memtable(create("between"));
    PartitionPosition middle = new Murmur3Partitioner.LongToken(0).maxKeyBound();
    Memtable.FlushablePartitionSet<?> first = memtable.getFlushSet(null, middle);
    Memtable.FlushablePartitionSet<?> second = memtable.getFlushSet(middle, null);
    assertThat(first.partitionCount()).isBetween(1L, 9L);
    assertThat(first).hasSize((int) first.partitionCount());
    node.cql("ALTER TABLE twin.between WITH memtable = 'default'");
    await(() -> memtable.store().use() == null);
    assertThatThrownBy(second::iterator)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begin the stream");
  }

  /** It would be taken for the flush, and its file for one of the table's own. */
  @Test
  void should_fail_a_stream_that_asks_for_rows_when_the_move_has_begun() {
    RocksMemtable memtable = memtable(create("asked"));
    OpOrder.Group unfinished = Keyspace.writeOrder.start();
    try {
      node.cql("ALTER TABLE twin.asked WITH memtable = 'default'");
      assertThatThrownBy(() -> memtable.getFlushSet(null, null))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("begin the stream");
    } finally {
      unfinished.close();
    }
    await(() -> memtable.store().use() == null);
    assertThat(node.rows("SELECT k FROM twin.asked")).hasSize(10);
  }

  /** Cassandra flushes all tables of a keyspace, and asks for what is left of each much later. */
  @Test
  void should_fail_a_stream_when_the_table_is_altered_after_it_was_flushed() throws Exception {
    ColumnFamilyStore store = create("later");
    TableStore rocks = memtable(store).store();
    node.cql("CREATE TABLE twin.beside (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin.beside (k) VALUES (1)");
    store.forceBlockingFlush(FlushReason.STREAMING);
    OpOrder.Group unfinished = Keyspace.writeOrder.start();
    try {
      node.cql("ALTER TABLE twin.later WITH memtable = 'default'");
      failsToStream(store);
      try (Refs<SSTableReader> beside = TemporaryFilesTest.write(node.store("twin", "beside"))) {
        assertThat(beside).isEmpty();
      }
      assertThat(TemporaryFilesTest.dataFiles(node.store("twin", "beside"))).isEmpty();
    } finally {
      unfinished.close();
    }
    await(() -> rocks.use() == null);
    // It may have chosen its data files before.
    failsToStream(store);
    store.forceBlockingFlush(FlushReason.STREAMING);
    node.cql("INSERT INTO twin.later (k) VALUES (100)");
    try (Refs<SSTableReader> later = TemporaryFilesTest.write(store)) {
      assertThat(later).isEmpty();
    }
    store.forceBlockingFlush(FlushReason.STREAMING);
    assertThat(store.getLiveSSTables()).hasSize(2);
    assertThat(node.rows("SELECT k FROM twin.later")).hasSize(11);
  }

  private static void failsToStream(ColumnFamilyStore store) {
    assertThatThrownBy(() -> TemporaryFilesTest.write(store))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begin the stream");
  }

  /** It has chosen the other files before, of which the rows that move are none. */
  @Test
  void should_purge_no_deletion_of_rows_that_move_while_it_is_compacted() throws Exception {
    node.cql(
        "CREATE TABLE twin.purged (k int PRIMARY KEY, v int) WITH gc_grace_seconds = 0 AND"
            + " compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': false}");
    ColumnFamilyStore store = node.store("twin", "purged");
    node.cql("DELETE FROM twin.purged USING TIMESTAMP 2 WHERE k = 1");
    store.forceBlockingFlush(FlushReason.USER_FORCED);
    node.cql("ALTER TABLE twin.purged WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.purged (k, v) VALUES (1, 1) USING TIMESTAMP 1");
    TableStore rocks = memtable(store).store();
    DecoratedKey key = store.decorateKey(ByteBufferUtil.bytes(1));
    SSTableReader deletion = store.getLiveSSTables().iterator().next();
    try (LifecycleTransaction compaction =
            store.getTracker().tryModify(deletion, OperationType.COMPACTION);
        CompactionController controller =
            new CompactionController(store, compaction.originals(), Long.MAX_VALUE)) {
      assertThat(controller.getPurgeEvaluator(key).test(2)).isFalse();
      node.cql("ALTER TABLE twin.purged WITH memtable = 'default'");
      await(() -> rocks.use() == null);
      assertThat(store.getLiveSSTables()).hasSize(2);
      assertThat(controller.getPurgeEvaluator(key).test(2)).isFalse();
    }
    await(() -> !store.getNeverPurgeTombstones());
    await(
        () -> {
          store.forceMajorCompaction();
          return store.getLiveSSTables().isEmpty();
        });
  }

  /** Cassandra asks for each partition that it compacts, and closes nothing. */
  @Test
  void should_keep_no_iterator_open_when_a_compaction_asks_whether_it_may_purge() {
    node.cql(
        "CREATE TABLE twin.asked (k int, c int, v int, PRIMARY KEY (k, c)) WITH memtable = 'rocksdb'");
    for (int c = 0; c < 100; c++) {
      node.cql("INSERT INTO twin.asked (k, c, v) VALUES (1, " + c + ", 1) USING TIMESTAMP 1");
    }
    ColumnFamilyStore store = node.store("twin", "asked");
    DecoratedKey there = store.decorateKey(ByteBufferUtil.bytes(1));
    DecoratedKey absent = store.decorateKey(ByteBufferUtil.bytes(2));
    try (CompactionController controller =
        new CompactionController(store, Set.of(), Long.MAX_VALUE)) {
      long open = NativeIterators.open();
      for (int i = 0; i < 100; i++) {
        assertThat(controller.getPurgeEvaluator(there).test(2)).isFalse();
        assertThat(controller.getPurgeEvaluator(absent).test(2)).isTrue();
      }
      // Fewer, if the collector finds one of an earlier test meanwhile.
      assertThat(NativeIterators.open()).isLessThanOrEqualTo(open);
    }
    node.cql("DROP TABLE twin.asked");
  }

  /** Of a table whose data files were chosen before, and whose next memtable knows of no move. */
  @Test
  void should_fail_a_stream_when_the_rows_have_moved_since_its_flush() throws Exception {
    assertRefused("moved", "ALTER TABLE twin.moved WITH memtable = 'default'");
    buildingViewsFromFiles(() -> assertRefused("viewed", VIEW.replace("#", "viewed")));
  }

  /** So that rows move out for a view, and what is written next is in RocksDB again. */
  private static void buildingViewsFromFiles(Executable action) throws Exception {
    int threads = DatabaseDescriptor.getConcurrentViewBuilders();
    DatabaseDescriptor.setConcurrentViewBuilders(2);
    try {
      action.run();
    } finally {
      DatabaseDescriptor.setConcurrentViewBuilders(threads);
    }
  }

  private interface Executable {
    void run() throws Exception;
  }

  private void assertRefused(String table, String statement) {
    ColumnFamilyStore store = create(table);
    RocksMemtable memtable = memtable(store);
    TableStore rocks = memtable.store();
    store.forceBlockingFlush(FlushReason.STREAMING);
    assertThat(store.getLiveSSTables()).isEmpty();
    node.cql(statement);
    await(() -> rocks.use() == null);
    store.forceBlockingFlush(FlushReason.USER_FORCED);
    failsToStream(store);
    assertThat(memtable.store()).isSameAs(rocks); // the memtable is remembered weakly
    store.forceBlockingFlush(FlushReason.STREAMING);
    assertThat(store.getLiveSSTables()).isNotEmpty();
    TemporaryFilesTest.write(store).close();
  }

  /** As of an incremental repair that is long over, whose thread streams another table. */
  @Test
  void should_forget_a_flush_after_a_day() {
    ColumnFamilyStore store = create("forgotten");
    RocksMemtable memtable = memtable(store);
    store.forceBlockingFlush(FlushReason.ANTICOMPACTION);
    node.cql("ALTER TABLE twin.forgotten WITH memtable = 'default'");
    await(() -> memtable.store().use() == null);
    AskedTables.check(System.nanoTime() + AskedTables.KEPT_NANOS);
    AskedTables.check();
    assertThat(memtable.store().state()).isEqualTo(GenerationState.MOVED);
  }

  @Test
  void should_wait_with_a_snapshot_until_the_rows_of_before_are_in_files() throws Exception {
    String write = "INSERT INTO twin.# (k, v) VALUES (100, 100)";
    String move = "ALTER TABLE twin.# WITH memtable = 'default'";
    for (List<String> statements :
        List.of(List.of(VIEW), List.of(VIEW, write), List.of(move), List.of(move, write))) {
      buildingViewsFromFiles(() -> takeSnapshotDuring(statements));
    }
  }

  private void takeSnapshotDuring(List<String> statements) throws Exception {
    String table = "taken" + TABLES.incrementAndGet();
    ColumnFamilyStore store = create(table);
    Memtable before = memtable(store);
    FutureTask<?> snapshot = new FutureTask<>(() -> store.snapshot("s"));
    Thread thread = new Thread(snapshot, "snapshot");
    FutureTask<?> first = new FutureTask<>(() -> node.cql(statements.get(0).replace("#", table)));
    OpOrder.Group unfinished = Keyspace.writeOrder.start();
    try {
      new Thread(first, "statement").start();
      await(() -> store.getTracker().getView().getCurrentMemtable() != before);
      statements.stream().skip(1).forEach(each -> node.cql(each.replace("#", table)));
      thread.start();
      await(() -> snapshot.isDone() || thread.getState() == Thread.State.WAITING);
    } finally {
      unfinished.close();
    }
    first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    snapshot.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(files(store)).as("%s", statements).anyMatch(name -> name.endsWith("-Data.db"));
  }

  /** RocksDB may be opening for a comparison, for as long as its disk makes it wait. */
  @Test
  @SuppressWarnings("LockOnNonEnclosingClassLiteral") // as who opens it does
  void should_flush_tables_of_cassandra_while_somebody_opens_the_engine() throws Exception {
    node.cql("CREATE TABLE twin.opened (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin.opened (k) VALUES (1)");
    FutureTask<?> flush =
        new FutureTask<>(
            () -> node.store("twin", "opened").forceBlockingFlush(FlushReason.USER_FORCED));
    synchronized (Engine.class) {
      new Thread(flush, "flush").start();
      flush.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static List<String> files(ColumnFamilyStore store) {
    List<String> names = new ArrayList<>();
    for (File directory : store.getDirectories().getCFDirectories()) {
      names.addAll(List.of(new File(directory, "snapshots/s").tryListNames()));
    }
    return names;
  }

  @Test
  void should_forget_a_table_that_is_dropped_and_find_one_that_is_made_again() throws Exception {
    EngineControl control = new EngineControl(Engine.running());
    for (int i = 0; i < 10; i++) {
      create("again");
      control.flush("twin", "again");
      assertThat(control.property("twin", "again", "rocksdb.estimate-num-keys")).isEqualTo("10");
      node.cql("DROP TABLE twin.again");
      assertThatThrownBy(() -> control.flush("twin", "again"))
          .hasMessageContaining("is not stored in RocksDB");
    }
  }

  private ColumnFamilyStore create(String table) {
    node.cql(
        "CREATE TABLE twin." + table + " (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    for (int k = 0; k < 10; k++) {
      node.cql("INSERT INTO twin." + table + " (k, v) VALUES (" + k + ", " + k + ")");
    }
    return node.store("twin", table);
  }
}
