/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.operation.CompactionBacklog;
import io.curtail.engine.operation.StoredTable;
import io.curtail.engine.store.Family;
import io.curtail.engine.store.FamilyName;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import org.apache.cassandra.exceptions.WriteFailureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** What becomes of a table whose compaction does not follow its flushes. */
class CompactionBacklogTest {
  private static final int NEVER = Integer.MAX_VALUE;

  private final EmbeddedNode node = TestNode.start();
  private final Engine engine = engine();

  @AfterEach
  void takeAllWrites() {
    new CompactionBacklog(engine.stores, NEVER, NEVER).check();
  }

  @Test
  void should_warn_by_name_until_compaction_has_caught_up_when_level_0_grows() throws IOException {
    create("behind");
    String name = FamilyName.table(node.store("twin", "behind").metadata());
    CompactionBacklog backlog = new CompactionBacklog(engine.stores, 3, NEVER);
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
  void should_refuse_writes_of_that_table_only_until_compaction_has_caught_up() throws IOException {
    create("crowded");
    create("idle");
    compact("idle");
    CompactionBacklog backlog = new CompactionBacklog(engine.stores, 2, 3);
    flushARow("crowded", 0);
    flushARow("crowded", 1);
    backlog.check();
    flushARow("crowded", 2);
    backlog.check();
    assertThatThrownBy(() -> write("crowded", 3)).isInstanceOf(WriteFailureException.class);
    assertThatThrownBy(() -> store("crowded").checkWrites())
        .hasMessageContaining("twin/crowded")
        .hasMessageContaining("had 3 files in level 0 and max_level0_files is 3");
    write("idle", 3);
    assertThat(node.rows("SELECT k FROM twin.crowded WHERE k IN (0, 1, 2, 3)")).hasSize(3);
    assertThat(refused()).isOne();

    compact("crowded");
    backlog.check();
    write("crowded", 3);
    assertThat(node.rows("SELECT k FROM twin.crowded WHERE k IN (0, 1, 2, 3)")).hasSize(4);
    assertThat(refused()).isZero();
  }

  @Test
  void should_refuse_writes_of_a_table_when_its_index_is_behind() throws Exception {
    create("looked_up");
    node.cql("CREATE INDEX by_v ON twin.looked_up (v) USING 'legacy_local_table'");
    compact("looked_up");
    CompactionBacklog backlog = new CompactionBacklog(engine.stores, 2, 3);
    for (int k = 0; k < 3; k++) {
      write("looked_up", k);
      flushIndex();
    }
    backlog.check();
    assertThatThrownBy(() -> write("looked_up", 3)).isInstanceOf(WriteFailureException.class);
    assertThatThrownBy(() -> store("looked_up").checkWrites())
        .hasMessageContaining("looked_up.by_v");
  }

  /** There with the first table. */
  private Engine engine() {
    node.cql("CREATE TABLE IF NOT EXISTS twin.first (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    return Engine.running();
  }

  /** As if many writes of the index alone had been flushed. */
  private void flushIndex() throws RocksDBException {
    StoredTable index =
        engine.stores.memtables().stream()
            .filter(memtable -> memtable.store().isIndex && memtable.name().endsWith("by_v"))
            .findFirst()
            .orElseThrow();
    try (Family.Use use = index.store().use();
        FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      use.run(handle -> engine.database.rocksdb.flush(waiting, handle));
    }
  }

  private TableStore store(String table) {
    return engine.stores.memtables().stream()
        .filter(memtable -> memtable.name().equals("twin." + table))
        .findFirst()
        .orElseThrow()
        .store();
  }

  private long refused() {
    return engine.metrics.values().get("TablesRefusingWrites");
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
