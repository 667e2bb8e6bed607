/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.curtail.engine.codec.Keys;
import io.curtail.engine.table.Sweep;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.cassandra.db.ClockAndCount;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.service.CacheService;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Streams whose rows Cassandra writes to RocksDB before they end. */
class ReceivedStreamsTest {
  private static final int KEYS = 10;

  private final EmbeddedNode node = TestNode.start();
  private final String saved = TestNode.newDirectory("received").toString();

  /** It may be what an older row in the next file needs, and is not written yet. */
  @Test
  void should_purge_no_deletion_of_a_stream_that_is_not_all_written() throws Exception {
    node.cql(
        "CREATE TABLE twin.unfinished (k int PRIMARY KEY) WITH gc_grace_seconds = 0 AND memtable ="
            + " 'rocksdb'");
    for (int k = 0; k < KEYS; k++) {
      node.cql("DELETE FROM twin.unfinished WHERE k = " + k);
    }
    ColumnFamilyStore table = node.store("twin", "unfinished");
    NodeStreams.save("twin", "unfinished", saved);
    node.cql("TRUNCATE twin.unfinished");
    node.cql("INSERT INTO twin.unfinished (k) VALUES (100)");
    TableStore store = TestNode.memtable(table).store();
    List<DecoratedKey> inOrder =
        IntStream.range(0, KEYS)
            .mapToObj(k -> table.decorateKey(ByteBufferUtil.bytes(k)))
            .sorted()
            .collect(Collectors.toList());
    byte[] first = store.keys.encode(inOrder.get(0));
    Lock last = store.locks.exclusive(store.keys.encode(inOrder.get(KEYS - 1)));
    FutureTask<Void> stream =
        new FutureTask<>(
            () -> {
              NodeStreams.load("twin", "unfinished", saved);
              return null;
            });
    assertThat(last).isNotSameAs(store.locks.exclusive(first));
    last.lock();
    try {
      new Thread(stream, "stream").start();
      await(() -> isKnown(store, first));
      assertThat(sweep(table, first)).isZero();
      assertThat(isKnown(store, first)).isTrue();
    } finally {
      last.unlock();
    }
    stream.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    await(() -> TestNode.memtable(table).mayPurge()); // Cassandra flushes when it has told the end
    assertThat(sweep(table, first)).isOne();
    assertThat(isKnown(store, first)).isFalse();
  }

  /** Of Cassandra's writes of a stream, each of a hundred rows, however large they are. */
  @Test
  void should_write_large_rows_of_a_stream_a_few_at_a_time() throws Exception {
    node.cql(
        "CREATE TABLE twin.heavy (p int, c int, v blob, s int STATIC, PRIMARY KEY (p, c))"
            + " WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.heavy (p, c) VALUES (1, 1000) USING TIMESTAMP 1");
    ColumnFamilyStore table = node.store("twin", "heavy");
    PartitionUpdate.SimpleBuilder update = PartitionUpdate.simpleBuilder(table.metadata(), 1);
    update.timestamp(5).delete();
    update.timestamp(6).row().add("s", 7);
    for (int c = 0; c < 100; c++) {
      update.row(c).add("v", ByteBuffer.allocate(100_000));
    }
    Batches batches = new Batches();
    FutureTask<Long> writing =
        new FutureTask<>(
            () -> {
              try (OpOrder.Group group = Keyspace.writeOrder.start()) {
                return TestNode.memtable(table).put(update.build(), batches, group);
              }
            });
    Thread thread = new Thread(writing, "StreamReceiveTask:7");
    thread.start();
    writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    thread.join();
    assertThat(batches.rows).hasSizeBetween(10, 20).allMatch(rows -> rows <= 11);
    assertThat(batches.deletedIn).isOne();
    assertThat(node.rows("SELECT c, s FROM twin.heavy WHERE p = 1"))
        .hasSize(100)
        .allMatch(row -> row.endsWith("s=7"))
        .doesNotContain("c=1000, s=7");
  }

  /** Each part would wait for one of its own. */
  @Test
  void should_wait_for_one_sync_when_an_update_of_a_stream_is_in_parts() throws IOException {
    NodeSettings settings =
        TestNode.with(TestNode.guarded(TestNode.newDirectory("parts")), Map.of("sync", "batch"));
    try (NodeProcess parts = NodeProcess.start(settings)) {
      parts.cql(TestNode.KEYSPACE);
      parts.cql(
          "CREATE TABLE k.t (p int, c int, v blob, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
      TestNode.call(parts, StreamActions.class, "writeRowsBeforeOneSync k t 24");
      assertThat(parts.cql("SELECT c FROM k.t")).hasSize(24);
    }
  }

  /** What is told to indexes, each time that something is written. */
  private static final class Batches implements UpdateTransaction {
    private final List<Integer> rows = new ArrayList<>();
    private int deletedIn;
    private int count;

    @Override
    public void start() {
      count = 0;
    }

    @Override
    public void onPartitionDeletion(DeletionTime deletion) {
      deletedIn = rows.size() + 1;
    }

    @Override
    public void onRangeTombstone(RangeTombstone range) {}

    @Override
    public void onInserted(Row row) {
      count += row.isStatic() ? 0 : 1;
    }

    @Override
    public void onUpdated(Row existing, Row updated) {}

    @Override
    public void commit() {
      rows.add(count);
    }
  }

  private static boolean isKnown(TableStore store, byte[] partition) {
    return store.database.get(store.family(), Keys.record(partition, Keys.ROW)) != null;
  }

  private static long sweep(ColumnFamilyStore table, byte[] partition) {
    RocksMemtable memtable = TestNode.memtable(table);
    long whenAllIsPastItsGrace = FBUtilities.nowInSeconds() + 10;
    Sweep sweep =
        new Sweep(memtable.store(), table::metadata, whenAllIsPastItsGrace, memtable::mayPurge);
    assertThat(sweep.partition(partition, bytes -> true)).isTrue();
    return sweep.removed();
  }

  @Test
  void should_count_on_from_what_a_stream_or_a_snapshot_has_brought() throws Exception {
    node.cql("CREATE TABLE twin.counted (k int PRIMARY KEY, n counter) WITH memtable = 'rocksdb'");
    node.cql("UPDATE twin.counted SET n = n + 12 WHERE k = 1");
    ColumnFamilyStore table = node.store("twin", "counted");
    NodeStreams.save("twin", "counted", saved);
    table.snapshot("counts");
    CacheService.instance.setCounterCacheCapacityInMB(1);
    try {
      countOn(table, () -> NodeStreams.load("twin", "counted", saved));
      countOn(
          table, () -> new EngineControl(Engine.running()).restore("twin", "counted", "counts"));
    } finally {
      CacheService.instance.setCounterCacheCapacityInMB(0);
    }
  }

  private void countOn(ColumnFamilyStore table, ThrowingCallable bringing) {
    node.cql("TRUNCATE twin.counted");
    ByteBuffer key = ByteBufferUtil.bytes(1);
    ColumnMetadata column = table.metadata().getColumn(ByteBufferUtil.bytes("n"));
    table.putCachedCounter(key, Clustering.EMPTY, column, null, ClockAndCount.create(1, 5));
    assertThat(table.getCachedCounter(key, Clustering.EMPTY, column, null)).isNotNull();
    assertThatCode(bringing).doesNotThrowAnyException();
    await(() -> table.getCachedCounter(key, Clustering.EMPTY, column, null) == null);
    node.cql("UPDATE twin.counted SET n = n + 1 WHERE k = 1");
    assertThat(node.rows("SELECT n FROM twin.counted")).containsExactly("n=13");
  }
}
