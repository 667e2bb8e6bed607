/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.AwaitedCompaction;
import io.curtail.engine.operation.CompactionBacklog;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.FamilyName;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDBException;

/** What becomes of a table whose compaction does not follow its flushes. */
class CompactionBacklogTest {
  private final EmbeddedNode node = TestNode.start();
  private final Engine engine = engine();

  @Test
  void should_warn_by_name_until_compaction_has_caught_up_when_level_0_grows() throws IOException {
    create("behind");
    String name = FamilyName.table(node.store("twin", "behind").metadata());
    CompactionBacklog backlog = new CompactionBacklog(engine.stores, engine.database.settings, 3);
    flushARow("behind", 0);
    flushARow("behind", 1);
    assertThat(backlog.check()).doesNotContain(name);
    flushARow("behind", 2);
    assertThat(backlog.check()).contains(name);
    write("behind", 3);
    compact("behind");
    assertThat(backlog.check()).doesNotContain(name);
  }

  @Test
  void should_not_throttle_compactions_until_they_have_caught_up() throws Exception {
    create("crowded");
    compactAll();
    DatabaseOptions settings = engine.database.settings;
    long usually = settings.compactionThrottle.bytesPerSecond();
    CompactionBacklog backlog = new CompactionBacklog(engine.stores, settings, 1);
    flushARow("crowded", 0);
    backlog.check();
    assertThat(settings.compactionThrottle.bytesPerSecond()).isEqualTo(usually);
    flushARow("crowded", 1);
    backlog.check();
    assertThat(settings.compactionThrottle.bytesPerSecond()).isGreaterThan(1L << 39);
    settings.compactionThrottle.set((double) usually);
    assertThat(settings.compactionThrottle.bytesPerSecond())
        .as("still behind")
        .isGreaterThan(1L << 39);
    compactAll();
    backlog.check();
    assertThat(settings.compactionThrottle.bytesPerSecond()).isEqualTo(usually);
  }

  /** Its files stay marked as compacting while it waits, and all other tables wait behind it. */
  @Test
  void should_end_what_waits_for_a_compaction_that_never_comes() throws Exception {
    create("waited");
    StoredTable memtable = (StoredTable) node.store("twin", "waited").getCurrentMemtable();
    flushARow("waited", 0); // until then it has nothing in RocksDB
    compactsByItself(memtable, false);
    for (int key = 1; key <= engine.database.options.warnLevel0Files / 2; key++) {
      flushARow("waited", key);
    }
    Duration patience = Duration.ofMillis(100);
    assertThatThrownBy(() -> new AwaitedCompaction(memtable, patience).await(Thread::onSpinWait))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("twin.waited")
        .hasMessageContaining("cf_options");
    compactsByItself(memtable, true);
    new AwaitedCompaction(memtable, Duration.ofDays(1)).await(Thread::onSpinWait);
  }

  private void compactsByItself(StoredTable memtable, boolean does) throws RocksDBException {
    try (Family.Use use = memtable.store().use()) {
      engine.database.rocksdb.setOptions(
          use.handle,
          MutableColumnFamilyOptions.builder().setDisableAutoCompactions(!does).build());
    }
  }

  @Test
  void should_warn_of_no_files_that_universal_compaction_leaves() {
    Map<String, String> given = Map.of("warn_level0_files", "3", "compaction", "universal");
    assertThat(EngineOptions.take(new HashMap<>(given)).warnLevel0Files)
        .isGreaterThan(DatabaseOptions.UNIVERSAL_RUNS);
    given = Map.of("warn_level0_files", "3", "compaction", "levels");
    assertThat(EngineOptions.take(new HashMap<>(given)).warnLevel0Files).isEqualTo(3);
  }

  /** There with the first table. */
  private Engine engine() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.first (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    return Engine.running();
  }

  private void compactAll() throws RocksDBException {
    for (String family : engine.database.families.names()) {
      try (Family.Use use = engine.database.use(family)) {
        engine.database.rocksdb.compactRange(use.handle);
      }
    }
  }

  private void create(String table) {
    node.cql(
        "CREATE TABLE twin." + table + " (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
  }

  private void write(String table, int key) {
    node.cql("INSERT INTO twin." + table + " (k, v) VALUES (" + key + ", " + key + ")");
  }

  private void flushARow(String table, int key) throws IOException {
    write(table, key);
    new EngineControl(engine).flush("twin", table);
  }

  private void compact(String table) throws IOException {
    new EngineControl(engine).compact("twin", table);
  }
}
