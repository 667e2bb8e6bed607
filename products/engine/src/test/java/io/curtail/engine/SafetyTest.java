/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.codec.ByteWriter;
import io.curtail.engine.codec.Keys;
import io.curtail.engine.log.LogSegment;
import io.curtail.engine.log.SyncMode;
import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.store.Batch;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.GenerationState;
import io.curtail.engine.table.TableStore;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** What keeps a fault of one table, one moment or one setting from the rest. */
class SafetyTest {
  private final EmbeddedNode node = TestNode.start();

  @Test
  void should_fail_reads_of_one_row_when_its_record_is_damaged_and_nothing_else()
      throws IOException {
    create("damaged");
    RocksMemtable memtable = memtable("damaged");
    node.cql("INSERT INTO twin.damaged (k, v) VALUES (1, 1)");
    node.cql("INSERT INTO twin.damaged (k, v) VALUES (2, 2)");
    addDamage(memtable, 1);
    addDamage(memtable, 1);
    EngineControl control = new EngineControl(Engine.running());
    control.flush("twin", "damaged");
    control.compact("twin", "damaged");
    for (int round = 0; round < 2; round++) {
      assertThatThrownBy(() -> node.cql("SELECT * FROM twin.damaged WHERE k = 1"))
          .isInstanceOf(RuntimeException.class);
      assertThat(node.rows("SELECT v FROM twin.damaged WHERE k = 2")).containsExactly("v=2");
      writeToDamaged("INSERT INTO twin.damaged (k, v) VALUES (1, 3)");
      node.cql("INSERT INTO twin.damaged (k, v) VALUES (2, 2)");
      control.flush("twin", "damaged");
      control.compact("twin", "damaged");
    }
    writeToDamaged("DELETE FROM twin.damaged WHERE k = 1");
    node.cql("DELETE FROM twin.damaged WHERE k = 2");
    assertThat(control.sweep("twin", "damaged")).as("the row of k = 2, at least").isPositive();
    assertThat(node.rows("SELECT v FROM twin.damaged WHERE k = 2")).isEmpty();
    node.cql("TRUNCATE twin.damaged");
  }

  /** Without the library a write reads what is there. */
  private void writeToDamaged(String statement) {
    if (Engine.running().database.isMergingNatively()) {
      node.cql(statement);
    } else {
      assertThatThrownBy(() -> node.cql(statement)).isInstanceOf(RuntimeException.class);
    }
  }

  private static void addDamage(RocksMemtable memtable, int k) {
    TableStore store = memtable.store();
    byte[] partition =
        store.keys.encode(memtable.metadata().partitioner.decorateKey(ByteBufferUtil.bytes(k)));
    ByteWriter unfinished = new ByteWriter();
    unfinished.writeUnsigned(1_000);
    unfinished.writeLong(42);
    Batch batch = new Batch();
    batch.merge(store.familyToWrite(), Keys.record(partition, Keys.ROW), unfinished);
    store.database.write(batch, List.of(partition));
  }

  /** What makes it safe to lose Cassandra's copy of a write. */
  private interface Flush {
    void run() throws IOException;
  }

  private Flush flush(String table, ColumnFamilyStore.FlushReason reason) {
    return () -> node.store("twin", table).forceBlockingFlush(reason);
  }

  private void assertOnDiskAfter(String table, Flush flush) throws IOException {
    node.cql(
        "CREATE TABLE twin." + table + " (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
    for (int i = 0; i < 20; i++) {
      String value = table + "-" + i + "-" + System.nanoTime();
      node.cql("INSERT INTO twin." + table + " (k, v) VALUES (" + i + ", '" + value + "')");
      flush.run();
      assertThat(synced()).contains(value);
    }
  }

  @Test
  void should_have_the_log_on_the_disk_when_a_stream_gives_up_the_files_it_received()
      throws IOException {
    assertOnDiskAfter(
        "received", flush("received", ColumnFamilyStore.FlushReason.STREAMS_RECEIVED));
  }

  @Test
  void should_have_the_log_on_the_disk_when_nodetool_flush_ends() throws IOException {
    assertThat(Engine.running().database.options.sync).isEqualTo(SyncMode.PERIODIC);
    assertOnDiskAfter(
        "flushed", () -> StorageService.instance.forceKeyspaceFlush("twin", "flushed"));
    assertThat(node.store("twin", "flushed").getLiveSSTables()).isEmpty();
    assertThat(node.rows("SELECT k FROM twin.flushed")).hasSize(20);
  }

  /** Cassandra's log, which has it too, goes then. */
  @Test
  void should_have_the_log_on_the_disk_when_a_start_has_replayed_that_of_cassandra()
      throws IOException {
    assertOnDiskAfter("replayed", flush("replayed", ColumnFamilyStore.FlushReason.STARTUP));
  }

  @Test
  void should_have_the_log_on_the_disk_when_a_restore_ends() throws IOException {
    node.cql("CREATE TABLE twin.restored (k int PRIMARY KEY, v text) WITH memtable = 'rocksdb'");
    for (int i = 0; i < 10; i++) {
      String value = "restored-" + i + "-" + System.nanoTime();
      node.cql("INSERT INTO twin.restored (k, v) VALUES (" + i + ", '" + value + "')");
      node.store("twin", "restored").snapshot(value);
      node.cql("TRUNCATE twin.restored");
      int before = count(value, synced());
      new EngineControl(Engine.running()).restore("twin", "restored", value);
      assertThat(count(value, synced())).isGreaterThan(before);
    }
  }

  private static int count(String value, String text) {
    return text.split(value, -1).length - 1;
  }

  /** What a loss of power would leave of the log. */
  private static String synced() throws IOException {
    StringBuilder text = new StringBuilder();
    Path log = Path.of(Engine.running().database.directory, "log");
    List<Path> segments;
    try (Stream<Path> files = Files.list(log)) {
      segments = files.collect(Collectors.toList());
    }
    for (Path segment : segments) {
      byte[] read;
      try {
        read = Files.readAllBytes(segment);
      } catch (NoSuchFileException e) {
        continue; // given back meanwhile
      }
      if (read.length < LogSegment.HEADER_BYTES) {
        continue; // being made
      }
      ByteBuffer bytes = ByteBuffer.wrap(read);
      int synced = LogSegment.synced(bytes, bytes.getLong(Long.BYTES));
      text.append(new String(bytes.array(), 0, Math.max(0, synced), StandardCharsets.ISO_8859_1));
    }
    return text.toString();
  }

  /** An ALTER that comes at the same time must not fail halfway. */
  @Test
  void should_not_move_what_a_truncation_has_emptied() {
    create("emptied_first");
    TableStore store = TestNode.store(node.store("twin", "emptied_first"));
    store.kill();
    assertThat(store.beginMove()).isFalse();
    assertThat(store.state()).isEqualTo(GenerationState.DEAD);
    node.cql("DROP TABLE twin.emptied_first");
  }

  @Test
  void should_keep_tombstones_when_an_older_generation_is_still_on_its_way_to_data_files() {
    create("flushing");
    node.cql("INSERT INTO twin.flushing (k, v) VALUES (1, 1)");
    ColumnFamilyStore store = node.store("twin", "flushing");
    assertThat(memtable("flushing").mayPurge()).isTrue();
    // A write that has not ended keeps the flush from beginning.
    OpOrder.Group write = Keyspace.writeOrder.start();
    Future<?> flush;
    try {
      flush = store.forceFlush(ColumnFamilyStore.FlushReason.VIEW_BUILD_STARTED);
      assertThat(store.getLiveSSTables()).isEmpty();
      assertThat(memtable("flushing").mayPurge()).isFalse();
    } finally {
      write.close();
    }
    FBUtilities.waitOnFuture(flush);
  }

  @Test
  void should_keep_no_snapshot_of_a_view_when_its_table_is_truncated() {
    create("overseen");
    node.cql(
        "CREATE MATERIALIZED VIEW twin.by_v AS SELECT k, v FROM twin.overseen WHERE k IS NOT NULL"
            + " AND v IS NOT NULL PRIMARY KEY (v, k) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.overseen (k, v) VALUES (1, 1)");
    node.cql("TRUNCATE twin.overseen");
    assertThat(Engine.running().stores.awaitsSnapshot(memtable("by_v").store())).isFalse();
    assertThat(node.rows("SELECT * FROM twin.by_v")).isEmpty();
  }

  @Test
  void should_refuse_an_option_when_the_rows_rest_on_it() {
    RocksDB.loadLibrary();
    for (String given :
        List.of(
            "cf_options: compaction_style=kCompactionStyleFIFO",
            "cf_options: ttl=60",
            "db_options: best_efforts_recovery=true",
            "db_options: max_open_files=100",
            "db_options: WAL_ttl_seconds=5")) {
      String[] parts = given.split(": ", 2);
      Map<String, String> parameters = new HashMap<>(Map.of("merge", "java", parts[0], parts[1]));
      EngineOptions options = EngineOptions.take(parameters);
      assertThatThrownBy(
              () ->
                  new DatabaseOptions(options, "", Path.of(""), NativeMerge::load, error -> {})
                      .familyOptions("default")
                      .close())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(parts[1].substring(0, parts[1].indexOf('=')));
    }
  }

  private void create(String table) {
    node.cql(
        "CREATE TABLE twin." + table + " (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
  }

  private RocksMemtable memtable(String table) {
    return TestNode.memtable(node.store("twin", table));
  }
}
