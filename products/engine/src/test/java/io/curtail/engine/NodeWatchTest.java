/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static io.curtail.waiting.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.curtail.engine.operation.IndexBuild;
import io.curtail.engine.operation.NodeWatch;
import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SizeEstimatesRecorder;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.guardrails.Guardrails;
import org.apache.cassandra.metrics.StorageMetrics;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.service.disk.usage.DiskUsageMonitor;
import org.apache.cassandra.utils.Hex;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is done by nodetool, of which Cassandra tells no memtable. */
class NodeWatchTest {
  private static final long MEBIBYTE = 1 << 20;

  private final EmbeddedNode node = TestNode.start();
  private final StorageService service = StorageService.instance;
  private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

  @BeforeEach
  void hear() {
    node.cql(
        "CREATE TABLE IF NOT EXISTS twin.watched (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("CREATE TABLE IF NOT EXISTS twin.stock (k int PRIMARY KEY)");
    node.cql("INSERT INTO twin.watched (k) VALUES (1)");
    node.cql("INSERT INTO twin.stock (k) VALUES (1)");
    logger(CompactionManager.class).setLevel(Level.INFO);
    warnings.start();
    logger(NodeWatch.class).addAppender(warnings);
    calls().addAppender(warnings);
  }

  @AfterEach
  void hearNoMore() {
    logger(NodeWatch.class).detachAppender(warnings);
    calls().detachAppender(warnings);
    service.setIncrementalBackupsEnabled(false);
  }

  private static Logger calls() {
    return (Logger) LoggerFactory.getLogger(NodeWatch.class.getPackageName() + ".NodetoolCalls");
  }

  private static Logger logger(Class<?> of) {
    return (Logger) LoggerFactory.getLogger(of);
  }

  private List<String> warnings() {
    return warnings.list.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .collect(Collectors.toList());
  }

  @Test
  void should_name_what_does_it_when_nodetool_looks_at_data_files_only() throws Exception {
    Engine.running().watch.look();
    service.forceKeyspaceCleanup("twin", "watched", "stock");
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("Cleanup of twin.watched", "curtail engine cleanup NODE twin.watched");
    service.garbageCollect("ROW", 0, "twin", "watched", "stock");
    service.scrub(true, false, true, true, 0, "twin", "watched", "stock");
    service.verify(false, false, false, false, false, false, "twin", "watched", "stock");
    assertThat(warnings())
        .hasSize(4)
        .anyMatch(line -> line.contains("curtail engine sweep NODE twin.watched"))
        .anyMatch(line -> line.startsWith("Scrub") && line.contains("engine verify NODE"))
        .anyMatch(line -> line.startsWith("Verify") && line.contains("engine verify NODE"))
        .noneMatch(line -> line.contains("twin.stock"));
  }

  @Test
  void should_count_rows_in_rocksdb_and_in_data_files_in_size_estimates() throws IOException {
    long rows = 4_000;
    node.cql("CREATE TABLE twin.estimated (k int PRIMARY KEY, v text) WITH memtable = 'default'");
    for (int k = 0; k < rows; k++) {
      if (k == rows / 2) {
        node.cql("ALTER TABLE twin.estimated WITH memtable = 'rocksdb'");
      }
      node.cql("INSERT INTO twin.estimated (k, v) VALUES (" + k + ", '" + "v".repeat(200) + "')");
    }
    ColumnFamilyStore table = node.store("twin", "estimated");
    await(() -> !table.getLiveSSTables().isEmpty());
    new EngineControl(Engine.running())
        .flush("twin", "estimated"); // of what is in write buffers RocksDB draws a few rows
    for (int round = 0; round < 2; round++) {
      synchronized (Engine.running().watch) { // which looks by itself, too
        SizeEstimatesRecorder.instance.run();
        for (String estimates : List.of("size_estimates", "table_estimates")) {
          assertThat(partitions(estimates)).as(estimates).isBetween(rows / 3, rows * 3 / 4);
        }
      }
      Engine.running().watch.look();
      for (String estimates : List.of("size_estimates", "table_estimates")) {
        assertThat(partitions(estimates)).as(estimates).isBetween(rows * 9 / 10, rows * 11 / 10);
        assertThat(bytes(estimates)).as(estimates).isBetween(rows * 150, rows * 400);
      }
    }
  }

  private static long partitions(String estimates) {
    return sum(estimates, row -> row.getLong("partitions_count"));
  }

  private static long bytes(String estimates) {
    return sum(
        estimates, row -> row.getLong("partitions_count") * row.getLong("mean_partition_size"));
  }

  /** Of the parts of the ring that the node has first, in one of the tables. */
  private static long sum(String estimates, ToLongFunction<UntypedResultSet.Row> of) {
    UntypedResultSet found =
        QueryProcessor.executeInternal(
            "SELECT * FROM system."
                + estimates
                + " WHERE keyspace_name = 'twin' AND table_name = 'estimated'");
    long sum = 0;
    for (UntypedResultSet.Row row : found) {
      if (!row.has("range_type") || row.getString("range_type").equals("primary")) {
        sum += of.applyAsLong(row);
      }
    }
    return sum;
  }

  @Test
  void should_build_an_index_again_from_rows_in_rocksdb_when_nodetool_asks() {
    node.cql(
        "CREATE TABLE IF NOT EXISTS twin.rebuilt (k int PRIMARY KEY, v int)"
            + " WITH memtable = 'rocksdb'");
    node.cql("CREATE INDEX IF NOT EXISTS rebuilt_v ON twin.rebuilt (v) USING 'legacy_local_table'");
    node.cql("INSERT INTO twin.rebuilt (k, v) VALUES (1, 7)");
    ColumnFamilyStore table = node.store("twin", "rebuilt");
    Engine.running().watch.look();
    table.indexManager.getAllIndexColumnFamilyStores().forEach(ColumnFamilyStore::truncateBlocking);
    assertThat(node.rows("SELECT k FROM twin.rebuilt WHERE v = 7")).isEmpty();
    service.rebuildSecondaryIndex("twin", "rebuilt", "no_such_index");
    service.rebuildSecondaryIndex("twin", "rebuilt", "rebuilt_v");
    assertThat(table.getLiveSSTables()).as("nothing was moved for it").isEmpty();
    assertThat(node.rows("SELECT k FROM twin.rebuilt WHERE v = 7")).containsExactly("k=1");
  }

  @Test
  void should_fail_and_not_be_called_built_when_such_a_build_is_stopped() throws Exception {
    node.cql("CREATE TABLE twin.halted (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
    node.cql("CREATE INDEX halted_v ON twin.halted (v) USING 'legacy_local_table'");
    TestNode.awaitIndex(node.store("twin", "halted"));
    node.cql("INSERT INTO twin.halted (k, v) VALUES (1, 7)");
    Engine.running().watch.look();
    FutureTask<?> rebuild =
        new FutureTask<>(() -> service.rebuildSecondaryIndex("twin", "halted", "halted_v"), null);
    OpOrder.Group unfinished = Keyspace.writeOrder.start(); // which the build waits for
    try {
      new Thread(rebuild, "rebuild").start();
      await(
          () ->
              CompactionManager.instance.active.getCompactions().stream()
                  .anyMatch(IndexBuild.class::isInstance));
      CompactionManager.instance.stopCompaction("INDEX_BUILD");
    } finally {
      unfinished.close();
    }
    assertThatThrownBy(() -> rebuild.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasMessageContaining("could not be built again");
    assertThat(SystemKeyspace.isIndexBuilt("twin", "halted_v")).isFalse();
    service.rebuildSecondaryIndex("twin", "halted", "halted_v");
    assertThat(SystemKeyspace.isIndexBuilt("twin", "halted_v")).isTrue();
  }

  @Test
  void should_listen_again_when_the_configuration_of_the_log_was_read_again() throws Exception {
    Engine.running().watch.look();
    synchronized (Engine.running().watch) { // a look in the background would listen again
      logger(CompactionManager.class).detachAppender("curtail-engine");
      service.forceKeyspaceCleanup("twin", "watched");
      assertThat(warnings()).isEmpty();
    }
    Engine.running().watch.look();
    Engine.running().watch.look();
    service.forceKeyspaceCleanup("twin", "watched");
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void should_count_what_is_on_the_disk_where_nodetool_shows_it() {
    EngineControl control = new EngineControl(Engine.running());
    // Again, when other tables changed at the same time.
    await(
        () -> {
          Engine.running().watch.look();
          long load = StorageMetrics.load.getCount();
          long before = diskUse();
          for (int k = 10; k < 500; k++) {
            node.cql("INSERT INTO twin.watched (k) VALUES (" + k + ")");
          }
          control.flush("twin", "watched");
          Engine.running().watch.look();
          return diskUse() != before && StorageMetrics.load.getCount() - load == diskUse() - before;
        });
    assertThat(diskUse())
        .isPositive()
        .isEqualTo(TestNode.memtable(watched()).store().property("rocksdb.live-sst-files-size"));
    node.cql("TRUNCATE twin.watched");
    Engine.running().watch.look();
    assertThat(diskUse()).isZero();
  }

  private ColumnFamilyStore watched() {
    return node.store("twin", "watched");
  }

  private long diskUse() {
    return watched().metric.liveDiskSpaceUsed.getCount();
  }

  /** Its directory is in a data directory, of which they count all files, as they do memtables. */
  @Test
  void should_count_rocksdb_once_when_guardrails_look_at_the_disk() throws Exception {
    node.cql("CREATE TABLE twin.guarded (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
    byte[] value = new byte[100_000];
    Random random = new Random(7);
    for (int k = 0; k < 40; k++) {
      random.nextBytes(value);
      node.cql(
          "INSERT INTO twin.guarded (k, v) VALUES (" + k + ", 0x" + Hex.bytesToHex(value) + ")");
    }
    new EngineControl(Engine.running()).flush("twin", "guarded");
    ColumnFamilyStore table = node.store("twin", "guarded");
    long inRocks = TestNode.store(table).fileBytes();
    assertThat(inRocks).isGreaterThan(39L * value.length);
    DiskUsageMonitor monitor = new DiskUsageMonitor();
    Guardrails.instance.setDataDiskUsageMaxDiskSize("1MiB"); // so that it tells how many of these
    try {
      // Again, when other tables changed at the same time.
      eventually(
          () -> {
            long others = monitor.getAllMemtableSize() - TestNode.memtable(table).getLiveDataSize();
            long files = dataDirectoryBytes();
            long counted = (long) (monitor.getDiskUsage() * MEBIBYTE);
            assertThat(counted).isCloseTo(files + others, within(inRocks / 2));
          });
    } finally {
      Guardrails.instance.setDataDiskUsageMaxDiskSize(null);
    }
  }

  private static long dataDirectoryBytes() throws IOException {
    Path directory = Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]);
    assertThat(Path.of(Engine.running().database.directory)).startsWith(directory);
    long bytes = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.collect(Collectors.toList())) {
        bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
      }
    }
    return bytes;
  }

  @Test
  void should_compact_as_fast_as_nodetool_says() {
    Engine engine = Engine.running();
    engine.watch.look();
    int before = DatabaseDescriptor.getCompactionThroughputMebibytesPerSecAsInt();
    assertThat(engine.database.settings.compactionThrottle.bytesPerSecond())
        .isEqualTo(before * MEBIBYTE);
    try {
      service.setCompactionThroughputMbPerSec(7);
      engine.watch.look();
      assertThat(engine.database.settings.compactionThrottle.bytesPerSecond())
          .isEqualTo(7 * MEBIBYTE);
      service.setCompactionThroughputMbPerSec(0);
      engine.watch.look();
      assertThat(engine.database.settings.compactionThrottle.bytesPerSecond())
          .isGreaterThan(1_000_000 * MEBIBYTE);
    } finally {
      service.setCompactionThroughputMbPerSec(before);
      engine.watch.look();
    }
    assertThat(warnings()).isEmpty();
  }

  @Test
  void should_warn_of_a_snapshot_without_what_is_in_rocksdb() throws Exception {
    Logger snapshots =
        (Logger) LoggerFactory.getLogger(NodeWatch.class.getPackageName() + ".SnapshotWatch");
    snapshots.addAppender(warnings);
    try {
      node.cql("INSERT INTO twin.watched (k) VALUES (2)");
      Engine.running().watch.look();
      service.takeSnapshot("watched-whole", Map.of(), "twin.watched", "twin.stock");
      service.takeSnapshot(
          "watched-part", Map.of("skipFlush", "true"), "twin.watched", "twin.stock");
      Engine.running().watch.look();
      Engine.running().watch.look();
      assertThat(warnings())
          .singleElement()
          .asString()
          .contains("[watched-part]", "twin.watched", "--skip-flush");
    } finally {
      snapshots.detachAppender(warnings);
      service.clearSnapshot(Map.of(), "watched-whole");
      service.clearSnapshot(Map.of(), "watched-part");
    }
  }

  @Test
  void should_warn_once_of_incremental_backups_without_what_is_in_rocksdb() {
    Engine.running().watch.look();
    assertThat(warnings()).isEmpty();
    service.setIncrementalBackupsEnabled(true);
    Engine.running().watch.look();
    Engine.running().watch.look();
    assertThat(warnings()).singleElement().asString().contains("twin.watched", "nodetool snapshot");
    node.cql("ALTER TABLE twin.watched WITH incremental_backups = false");
    try {
      service.setIncrementalBackupsEnabled(false);
      Engine.running().watch.look();
      service.setIncrementalBackupsEnabled(true);
      warnings.list.clear();
      Engine.running().watch.look();
      assertThat(warnings()).noneMatch(line -> line.contains("twin.watched"));
    } finally {
      node.cql("ALTER TABLE twin.watched WITH incremental_backups = true");
    }
  }
}
