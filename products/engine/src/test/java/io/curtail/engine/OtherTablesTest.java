/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.apache.cassandra.utils.ByteBufferUtil.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.store.Batch;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** What a table in RocksDB does to the node's other tables: nothing. */
class OtherTablesTest {
  private static final int HANG_SECONDS = 300;

  private final EmbeddedNode node = TestNode.start();
  private Thread thread;

  @Test
  void should_flush_a_stock_table_while_a_snapshot_waits_for_the_disk() throws Exception {
    whileHeld("snapshot", table -> table.snapshot("held"));
  }

  @Test
  void should_flush_a_stock_table_while_a_truncation_waits_for_the_disk() throws Exception {
    whileHeld("truncation", ColumnFamilyStore::truncateBlocking);
    assertThat(node.rows("SELECT k FROM twin.held_truncation")).isEmpty();
  }

  /** Both have RocksDB write its buffers to files, which it cannot while it is paused. */
  private void whileHeld(String name, Consumer<ColumnFamilyStore> operation) throws Exception {
    String held = "held_" + name;
    String stock = "stock_" + name;
    node.cql("CREATE TABLE twin." + held + " (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("CREATE TABLE twin." + stock + " (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin." + held + " (k) VALUES (1)");
    node.cql("INSERT INTO twin." + stock + " (k) VALUES (1)");
    RocksDB database = Engine.running().database.rocksdb;
    database.pauseBackgroundWork();
    CompletableFuture<Void> waiting;
    try {
      waiting =
          CompletableFuture.runAsync(() -> operation.accept(node.store("twin", held)), this::run);
      awaitCall(waiting, "flushBefore");
      flush(node.store("twin", stock));
      assertThat(waiting).isNotDone();
    } finally {
      database.continueBackgroundWork();
    }
    waiting.get(HANG_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void should_flush_a_stock_table_while_the_end_of_another_waits_for_rocksdb() throws Exception {
    whileStopped("ended", "setGenerations", store -> () -> Engine.running().stores.kill(store));
  }

  @Test
  void should_flush_a_stock_table_while_a_drop_waits_for_a_write_to_rocksdb() throws Exception {
    whileStopped(
        "dropped",
        "dropFamily",
        store -> {
          store.kill(); // as Cassandra asks for it, before
          return () -> Engine.running().stores.dropAll(store.name().id());
        });
  }

  /** RocksDB takes no more writes, and one waits that Cassandra's flushes do not wait for. */
  private void whileStopped(String name, String call, Function<TableStore, Runnable> operation)
      throws Exception {
    String writing = "writing_while_" + name;
    String stock = "stock_while_" + name;
    for (String table : List.of(name, writing)) {
      node.cql("CREATE TABLE twin." + table + " (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO twin." + table + " (k) VALUES (1)");
    }
    node.cql("CREATE TABLE twin." + stock + " (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin." + stock + " (k) VALUES (1)");
    Runnable ending = operation.apply(TestNode.store(node.store("twin", name)));
    TableStore written = TestNode.store(node.store("twin", writing));
    RocksDB database = Engine.running().database.rocksdb;
    AtomicBoolean isOver = new AtomicBoolean();
    database.pauseBackgroundWork();
    CompletableFuture<Void> writer;
    CompletableFuture<Void> waiting;
    try {
      writer = CompletableFuture.runAsync(() -> write(written, isOver), this::run);
      await()
          .atMost(HANG_SECONDS, TimeUnit.SECONDS)
          .until(() -> database.getLongProperty("rocksdb.is-write-stopped") == 1);
      waiting = CompletableFuture.runAsync(ending, this::run);
      awaitCall(waiting, call);
      flush(node.store("twin", stock));
      assertThat(writer).isNotDone();
      assertThat(waiting).isNotDone();
    } finally {
      isOver.set(true);
      database.continueBackgroundWork();
    }
    writer.get(HANG_SECONDS, TimeUnit.SECONDS);
    waiting.get(HANG_SECONDS, TimeUnit.SECONDS);
    node.cql("DROP TABLE twin." + name);
    node.cql("TRUNCATE twin." + writing);
  }

  /** Keys of no table, which nobody reads. */
  private static void write(TableStore store, AtomicBoolean isOver) {
    byte[] partition = store.keys.encode(Murmur3Partitioner.instance.decorateKey(bytes(2)));
    ByteWriter value = new ByteWriter();
    while (value.size() < 100_000) {
      value.writeLong(value.size());
    }
    Batch batch = new Batch();
    batch.put(store.family(), Keys.record(partition, Keys.ROW), value.toArray());
    while (!isOver.get()) {
      store.database.write(batch, List.of(partition));
    }
  }

  private static void flush(ColumnFamilyStore table) throws Exception {
    CompletableFuture.runAsync(
            () -> table.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED))
        .get(HANG_SECONDS, TimeUnit.SECONDS);
    assertThat(table.getLiveSSTables()).hasSize(1);
  }

  private void run(Runnable task) {
    thread = new Thread(task, "held");
    thread.start();
  }

  /** Until it is in the call that cannot return. */
  private void awaitCall(CompletableFuture<Void> waiting, String call) {
    await()
        .atMost(HANG_SECONDS, TimeUnit.SECONDS)
        .until(
            () ->
                waiting.isDone()
                    || Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals(call)));
    assertThat(waiting).isNotDone();
  }
}
