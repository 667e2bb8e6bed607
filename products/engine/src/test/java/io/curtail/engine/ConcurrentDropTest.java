/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.memtable;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.Family;
import io.curtail.engine.table.PartitionScan;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.junit.jupiter.api.Test;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.RocksDBException;

/** Tables and indexes that are dropped while something of the engine's own works on them. */
class ConcurrentDropTest {
  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_keep_a_column_family_open_until_the_last_scan_of_a_dropped_index_ends() {
    create("scanned");
    ColumnFamilyStore index =
        node.store("twin", "scanned")
            .indexManager
            .getAllIndexColumnFamilyStores()
            .iterator()
            .next();
    TableStore store = memtable(index).store();
    Family family = store.database.families.get(store.name().toString());
    try (PartitionScan scan = PartitionScan.between(store, null, null)) {
      assertThat(scan.hasNext()).isTrue();
      node.cql("DROP INDEX twin.scanned_v");
      await(() -> store.database.families.get(store.name().toString()) == null);
      assertThat(family.isClosed()).isFalse();
      assertThat(store.use()).isNull();
      int partitions = 0;
      while (scan.hasNext()) {
        scan.next();
        partitions++;
      }
      assertThat(partitions).isEqualTo(10);
    }
    assertThat(family.isClosed()).isTrue();
  }

  @Test
  void should_have_nothing_to_do_when_a_table_is_dropped_before_its_compaction() throws Exception {
    create("late");
    TableStore store = memtable(node.store("twin", "late")).store();
    try (Family.Use use = store.use();
        CompactRangeOptions options = new CompactRangeOptions()) {
      Family.Work compaction =
          handle -> store.database.rocksdb.compactRange(handle, null, null, options);
      assertThat(use.run(compaction)).isTrue();
      node.cql("INSERT INTO twin.late (k, v) VALUES (1, 2)");
      node.cql("DROP TABLE twin.late");
      await(() -> store.database.families.get(store.name().toString()) == null);
      assertThat(use.run(compaction)).isFalse();
    }
  }

  @Test
  void should_go_on_when_tables_and_indexes_go_under_a_sweep_a_compaction_and_a_flush()
      throws Exception {
    create("kept");
    Engine engine = Engine.running();
    EngineControl control = new EngineControl(engine);
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService background = Executors.newSingleThreadExecutor();
    try {
      Future<?> work =
          background.submit(
              () -> {
                while (!done.get()) {
                  engine.stores.memtables().forEach(engine.sweeper::sweep);
                  compact(control);
                }
              });
      for (int i = 0; i < 5; i++) {
        create("dropped" + i);
        node.cql("DELETE FROM twin.dropped" + i + " WHERE k = 3");
        node.cql("DROP INDEX twin.dropped" + i + "_v");
        node.cql("TRUNCATE twin.dropped" + i);
        node.cql("DROP TABLE twin.dropped" + i);
      }
      done.set(true);
      work.get(5, TimeUnit.MINUTES);
    } finally {
      background.shutdownNow();
    }
    assertThat(engine.database.generations.tables()).noneMatch(table -> table.contains("/dropped"));
  }

  private static void compact(EngineControl control) {
    for (int i = 0; i < 5; i++) {
      try {
        control.flush("twin", "dropped" + i);
        control.compact("twin", "dropped" + i);
        control.property("twin", "dropped" + i, "rocksdb.stats");
      } catch (IOException e) {
        assertThat(e).hasCauseInstanceOf(RocksDBException.class);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("is not stored in RocksDB");
      }
    }
  }

  private void create(String table) {
    node.cql(
        "CREATE TABLE twin." + table + " (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("CREATE INDEX " + table + "_v ON twin." + table + " (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(node.store("twin", table));
    for (int k = 0; k < 10; k++) {
      node.cql("INSERT INTO twin." + table + " (k, v) VALUES (" + k + ", " + k + ")");
    }
  }
}
