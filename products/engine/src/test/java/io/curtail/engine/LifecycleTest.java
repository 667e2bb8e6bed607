/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.waiting.Waiting.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.options.EngineOptions;
import io.curtail.engine.store.DatabaseOptions;
import io.curtail.engine.store.Families;
import io.curtail.engine.store.FamilyName;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Restarts, kills and refusals, on a node in a child process. */
class LifecycleTest {
  private static final String BUILT =
      "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = 'k' AND index_name = 'indexed_v'";

  /** After a kill, after a stop, and by an index that is made before anything is written again. */
  @Test
  void should_keep_what_was_written_when_the_node_is_killed() throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("killed"));
    List<String> before;
    String[] queries = {
      "SELECT * FROM k.t",
      "SELECT * FROM k.n",
      "SELECT * FROM k.t WHERE v = 3",
      "SELECT * FROM k.truncated"
    };
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(
          "CREATE TABLE k.t (p int, c int, s int STATIC, v int, m map<int, int>, PRIMARY KEY (p,"
              + " c)) WITH memtable = 'rocksdb'");
      node.cql("CREATE INDEX ON k.t (v)");
      node.cql("CREATE TABLE k.n (k int PRIMARY KEY, n counter) WITH memtable = 'rocksdb'");
      node.cql("CREATE TABLE k.truncated (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
      for (int i = 0; i < 100; i++) {
        node.cql(
            String.format(
                "INSERT INTO k.t (p, c, s, v, m) VALUES (%d, %d, 1, %d, {1: 2})", i % 5, i, i % 7));
        node.cql("UPDATE k.n SET n = n + " + i + " WHERE k = 1");
        node.cql("INSERT INTO k.truncated (k) VALUES (" + i + ")");
      }
      node.cql("DELETE FROM k.t WHERE p = 1 AND c > 50");
      node.cql("DELETE FROM k.t WHERE p = 2");
      node.cql("ALTER TABLE k.t DROP m");
      node.cql("TRUNCATE k.truncated");
      node.cql("INSERT INTO k.truncated (k) VALUES (1000)");
      node.cql("CREATE TABLE k.indexed (k int PRIMARY KEY, v int) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO k.indexed (k, v) VALUES (1, 7)");
      before = rows(node, queries);
      node.kill();
    }
    assertThat(before).hasSizeGreaterThan(60);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(rows(node, queries)).isEqualTo(before);
      node.stop();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql("CREATE INDEX indexed_v ON k.indexed (v) USING 'legacy_local_table'");
      await(() -> !node.cql(BUILT).isEmpty());
      assertThat(node.cql("SELECT k FROM k.indexed WHERE v = 7")).containsExactly("k=1");
      assertThat(rows(node, queries)).isEqualTo(before);
    }
  }

  private static List<String> rows(NodeProcess node, String... queries) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String query : queries) {
      rows.addAll(node.cql(query));
    }
    return rows;
  }

  @Test
  void should_not_start_when_it_is_the_default_configuration() {
    NodeSettings settings =
        TestNode.settings(TestNode.newDirectory("default")).inherits("default", "rocksdb");
    assertThatThrownBy(() -> NodeProcess.start(settings).close())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a table of Cassandra itself");
  }

  @Test
  void should_drop_what_a_restoration_and_a_truncation_left_when_the_node_starts_again()
      throws IOException, RocksDBException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("restoring"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      // The names of families of other kinds are none that a keyspace can have.
      for (String keyspace : List.of("shadow", "restoring")) {
        node.cql(KEYSPACE.replace(" k ", " " + keyspace + " "));
        node.cql("CREATE TABLE " + keyspace + ".t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
        node.cql("INSERT INTO " + keyspace + ".t (k) VALUES (1)");
      }
      node.stop();
    }
    String directory = settings.directory().resolve("data/curtail-rocksdb").toString();
    String copy = FamilyName.ofCopy().toString();
    addFamily(directory, copy);
    assertThat(families(directory)).contains(copy);
    Path unnamed =
        Files.createDirectories(table(settings).resolve("snapshots/rocksdb-before-truncation-0"));
    Files.createFile(unnamed.resolve("columns"));
    try (NodeProcess node = NodeProcess.start(settings)) {
      for (String keyspace : List.of("k", "shadow", "restoring")) {
        assertThat(node.cql("SELECT * FROM " + keyspace + ".t")).hasSize(1);
      }
      assertThat(unnamed).doesNotExist();
      node.stop();
    }
    assertThat(families(directory)).noneMatch(FamilyName::isCopy).hasSizeGreaterThan(1);
  }

  /** One that would take half an hour. */
  @Test
  void should_end_at_once_when_it_is_stopped_while_rocksdb_compacts() throws IOException {
    NodeSettings settings =
        TestNode.with(
            TestNode.settings(TestNode.newDirectory("compacting")),
            Map.of("compaction_throughput", "1KiB/s"));
    Random random = new Random(1);
    byte[] value = new byte[200_000];
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
      for (int file = 0; file < 8; file++) {
        random.nextBytes(value);
        String bytes = ByteBufferUtil.bytesToHex(ByteBuffer.wrap(value));
        node.cql("INSERT INTO k.t (k, v) VALUES (1, 0x" + bytes + ")");
        TestNode.call(node, "flushInRocks k t");
      }
      node.stop();
    }
  }

  private static Path table(NodeSettings settings) throws IOException {
    try (Stream<Path> tables = Files.list(settings.directory().resolve("data/k"))) {
      return tables.findFirst().orElseThrow();
    }
  }

  private static void addFamily(String directory, String name) throws RocksDBException {
    TestNode.start(); // options ask for the configuration of a node
    EngineOptions inJava = EngineOptions.take(new HashMap<>(Map.of("merge", "java")));
    DatabaseOptions options =
        new DatabaseOptions(
            inJava, directory, Path.of(directory, "native"), NativeMerge::load, error -> {});
    Families families = new Families(options, directory, false);
    families.create(name);
    families.database().close();
  }

  private static List<String> families(String directory) throws RocksDBException {
    RocksDB.loadLibrary();
    try (Options options = new Options()) {
      return RocksDB.listColumnFamilies(options, directory).stream()
          .map(name -> new String(name, UTF_8))
          .collect(Collectors.toList());
    }
  }
}
