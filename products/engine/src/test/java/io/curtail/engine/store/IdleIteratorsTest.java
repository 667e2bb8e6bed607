/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.junit.jupiter.api.Test;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Iterators that are used again: what they see, and what they hold. */
class IdleIteratorsTest {
  private static final int READERS = 4;
  private static final int WRITES = 1_000;
  private static final int ROWS = 20;
  private static final int MOST_OF_A_TABLE = 8;

  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_use_an_iterator_again_when_nobody_else_has_it() {
    IdleIterators iterators = iterators(create("again"));
    // The timer may close it in between.
    await(
        () -> {
          RocksIterator first = use(iterators);
          return use(iterators) == first;
        });
    await(
        () -> {
          RocksIterator idle = use(iterators);
          try (PartitionIterator one = iterators.take();
              PartitionIterator other = iterators.take()) {
            assertThat(other.records).isNotSameAs(one.records);
            return one.records == idle;
          }
        });
  }

  @Test
  void should_keep_only_a_few() {
    IdleIterators iterators = iterators(create("few"));
    await(
        () -> {
          List<PartitionIterator> taken = new ArrayList<>();
          for (int i = 0; i < 2 * MOST_OF_A_TABLE; i++) {
            taken.add(iterators.take());
          }
          taken.forEach(PartitionIterator::close);
          long kept = taken.stream().filter(used -> used.records.isOwningHandle()).count();
          assertThat(kept).isLessThanOrEqualTo(MOST_OF_A_TABLE);
          return kept == MOST_OF_A_TABLE;
        });
  }

  @Test
  void should_close_what_was_taken_before_idle_ones_were_closed() {
    IdleIterators iterators = iterators(create("drained"));
    PartitionIterator used = iterators.take();
    iterators.drain();
    assertThat(used.records.isOwningHandle()).isTrue();
    used.close();
    assertThat(used.records.isOwningHandle()).isFalse();
    PartitionIterator failed = iterators.take();
    failed.discard();
    failed.close();
    assertThat(failed.records.isOwningHandle()).isFalse();
  }

  @Test
  void should_hold_neither_write_buffers_nor_files_when_a_table_was_flushed() throws Exception {
    TableStore store = create("held");
    IdleIterators iterators = iterators(store);
    for (int round = 0; round < 3; round++) {
      node.cql("INSERT INTO twin.idle_held (p, c, v) VALUES (1, 1, 1)");
      use(iterators);
      try (PartitionIterator used = iterators.take()) {
        used.records.seekToFirst();
        flush(store);
      }
    }
    await(
        () ->
            store.property("rocksdb.num-live-versions") == 1
                && store.property("rocksdb.size-all-mem-tables")
                    == store.property("rocksdb.cur-size-active-mem-table"));
  }

  @Test
  void should_close_all_when_the_table_is_dropped() {
    TableStore store = create("dropped");
    String name = store.name().toString();
    IdleIterators iterators = iterators(store);
    PartitionIterator used;
    RocksIterator idle;
    try (Family.Use use = store.use()) {
      used = iterators.take();
      idle = use(iterators);
      node.cql("DROP TABLE twin.idle_dropped");
      await(() -> store.database.families.get(name) == null);
      await(() -> !idle.isOwningHandle());
      assertThat(use.family.isClosed()).isFalse();
    }
    assertThat(used.records.isOwningHandle()).isTrue();
    used.close();
    assertThat(used.records.isOwningHandle()).isFalse();
  }

  @Test
  void should_show_each_reader_what_it_has_written_beside_flushes_and_drops() throws Exception {
    TableStore store = create("mine");
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<?> others = threads.submit(() -> flushAndDrop(store, done));
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int partition = i;
        readers.add(threads.submit(() -> writeAndRead(partition)));
      }
      for (Future<?> reader : readers) {
        reader.get(5, TimeUnit.MINUTES);
      }
      done.set(true);
      others.get(5, TimeUnit.MINUTES);
    } finally {
      threads.shutdownNow();
    }
  }

  private void writeAndRead(int partition) {
    String rows = "SELECT c, v FROM twin.idle_mine WHERE p = " + partition;
    for (int value = 0; value < WRITES; value++) {
      int row = value % ROWS;
      node.cql(
          String.format(
              "INSERT INTO twin.idle_mine (p, c, v) VALUES (%d, %d, %d)", partition, row, value));
      boolean reversed = value % 2 == 0;
      String order = reversed ? " AND c <= " + row + " ORDER BY c DESC" : " AND c >= " + row;
      UntypedResultSet.Row first = node.cql(rows + order + " LIMIT 1").one();
      assertThat(first.getInt("c")).isEqualTo(row);
      assertThat(first.getInt("v")).isEqualTo(value);
      int read = 0;
      for (UntypedResultSet.Row each : node.cql(rows)) {
        int age = Math.floorMod(value - each.getInt("c"), ROWS);
        assertThat(each.getInt("v")).isEqualTo(value - age);
        read++;
      }
      assertThat(read).isEqualTo(Math.min(value + 1, ROWS));
    }
  }

  private Void flushAndDrop(TableStore store, AtomicBoolean done) throws RocksDBException {
    for (int i = 0; !done.get(); i++) {
      String name = "gone" + i;
      create(name);
      node.cql("INSERT INTO twin.idle_" + name + " (p, c, v) VALUES (1, 1, 1)");
      assertThat(node.cql("SELECT v FROM twin.idle_" + name + " WHERE p = 1").size()).isEqualTo(1);
      flush(store);
      node.cql("TRUNCATE twin.idle_" + name);
      assertThat(node.cql("SELECT v FROM twin.idle_" + name + " WHERE p = 1").size()).isZero();
      node.cql("DROP TABLE twin.idle_" + name);
    }
    return null;
  }

  private static RocksIterator use(IdleIterators iterators) {
    try (PartitionIterator used = iterators.take()) {
      return used.records;
    }
  }

  /** With a row. */
  private TableStore create(String name) {
    node.cql(
        "CREATE TABLE twin.idle_"
            + name
            + " (p int, c int, v int, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.idle_" + name + " (p, c, v) VALUES (9, 9, 9)");
    return TestNode.store(node.store("twin", "idle_" + name));
  }

  private static IdleIterators iterators(TableStore store) {
    return store.database.families.get(store.name().toString()).iterators;
  }

  private static void flush(TableStore store) throws RocksDBException {
    try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      store.database.rocksdb.flush(waiting, store.family());
    }
  }
}
