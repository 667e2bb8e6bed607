/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.MoveTest.TABLE;
import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.store.NodeMarker;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nodes that start without something that their rows in RocksDB need. */
class StartTest {
  /** Of a node that was stopped; each test has a copy. */
  private static final Path STOPPED = TestNode.newDirectory("stopped");

  @BeforeAll
  static void stopNode() throws IOException {
    makeOneRow(TestNode.settings(STOPPED));
  }

  @Test
  void should_not_start_when_the_directory_is_not_there() throws IOException {
    NodeSettings settings = withOneRow("unmounted");
    Path rocks = settings.directory().resolve("data/curtail-rocksdb");
    Path elsewhere = settings.directory().resolve("elsewhere");
    Files.move(rocks, elsewhere);
    refused(settings, "has rows in " + rocks, "mount it there");
    assertThat(rocks).doesNotExist();
    Files.move(elsewhere, rocks);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_not_start_when_the_directory_is_of_another_node() throws IOException {
    NodeSettings settings = withOneRow("exchanged");
    NodeSettings other = TestNode.settings(TestNode.newDirectory("other"));
    makeOneRow(other);
    Path rocks = Path.of("data/curtail-rocksdb");
    Path directory = settings.directory().resolve(rocks);
    Files.move(directory, settings.directory().resolve("elsewhere"));
    Files.move(other.directory().resolve(rocks), directory);
    refused(settings, "has another RocksDB");
  }

  /** As when the data directories were emptied, so that the node joins anew. */
  @Test
  void should_refuse_rows_of_which_no_data_directory_knows() throws IOException {
    NodeSettings settings = withOneRow("emptied");
    Path rocks = settings.directory().resolve("data/curtail-rocksdb");
    Path marker = settings.directory().resolve("data/" + NodeMarker.NAME);
    String said = Files.readString(marker);
    Files.delete(marker);
    refused(settings, rocks + " has rows, but no data directory of this node has the file");
    assertThat(marker).doesNotExist();
    Files.writeString(marker, said);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_not_start_when_the_configuration_is_gone_before_the_rows() throws IOException {
    NodeSettings settings = withOneRow("unconfigured");
    refused(TestNode.guarded(settings.directory()), "put it back");
  }

  @Test
  void should_not_start_when_the_jar_is_gone() throws IOException {
    NodeSettings settings = withOneRow("unshipped");
    List<Path> others =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(entry -> !hasEngine(entry))
            .collect(Collectors.toList());
    NodeSettings without =
        TestNode.settings(settings.directory()).classPath(others).classArchive(null);
    refused(without, GuardedMemtable.class.getName());
  }

  private static boolean hasEngine(Path entry) {
    String name = GuardedMemtable.class.getName().replace('.', '/') + ".class";
    if (Files.isDirectory(entry)) {
      return Files.exists(entry.resolve(name));
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      return jar.getEntry(name) != null;
    } catch (IOException e) {
      return false; // no jar
    }
  }

  @Test
  void should_not_start_when_the_configuration_is_wrong() throws IOException {
    NodeSettings settings = withOneRow("wrong");
    settings.memtable("rocksdb", RocksMemtable.class.getName(), Map.of("snyc", "batch"));
    refused(settings, "snyc is not known; known are", "sync_period");
    settings.memtable("rocksdb", RocksMemtable.class.getName(), TestNode.parameters());
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_not_start_when_a_newer_engine_wrote_the_directory() throws IOException {
    NodeSettings settings = withOneRow("newer");
    try (NodeProcess node = NodeProcess.start(settings)) {
      TestNode.call(node, "writeFormat 4");
      node.stop();
    }
    refused(settings, "has format 4", "install the version of curtail-engine that wrote it");
  }

  @Test
  void should_not_start_when_the_table_names_another_configuration_than_cassandra_yaml()
      throws IOException {
    NodeSettings settings = withOneRow("renamed");
    NodeSettings renamed =
        TestNode.guarded(settings.directory())
            .memtable("rocks", RocksMemtable.class.getName(), TestNode.parameters());
    refused(renamed, "k.t has rows in RocksDB", "rocksdb is not in cassandra.yaml");
  }

  @Test
  void should_not_start_when_the_memtable_of_a_table_would_not_look_for_its_rows()
      throws IOException {
    NodeSettings settings = withOneRow("repurposed");
    NodeSettings compared =
        TestNode.guarded(settings.directory())
            .memtable("engine", RocksMemtable.class.getName(), TestNode.parameters())
            .memtable(
                "rocksdb",
                ComparedMemtable.class.getName(),
                Map.of("configuration", "trie", "with", "engine"));
    refused(compared, "k.t has rows in RocksDB", "would not find them");
    NodeSettings stock =
        TestNode.guarded(settings.directory())
            .memtable("engine", RocksMemtable.class.getName(), TestNode.parameters())
            .memtable("rocksdb", "TrieMemtable", Map.of());
    refused(stock, "k.t has rows in RocksDB", "would not find them");
    NodeSettings guarded =
        TestNode.guarded(settings.directory())
            .memtable("engine", RocksMemtable.class.getName(), TestNode.parameters())
            .memtable("rocksdb", GuardedMemtable.class.getName(), Map.of("configuration", "trie"));
    try (NodeProcess node = NodeProcess.start(guarded)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_start_without_the_engine_when_all_rows_have_moved_out() throws IOException {
    NodeSettings settings = withOneRow("left");
    Path marker = settings.directory().resolve("data/" + NodeMarker.NAME);
    assertThat(marker).exists();
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql("ALTER TABLE k.t WITH memtable = 'default'");
      await(() -> !Files.exists(marker));
      node.stop();
    }
    try (NodeProcess node = NodeProcess.start(TestNode.plain(settings.directory()))) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_refuse_a_table_when_a_restart_would_not_notice_an_unfinished_move()
      throws IOException {
    NodeSettings settings =
        TestNode.plain(TestNode.newDirectory("unguarded"))
            .memtable("rocksdb", RocksMemtable.class.getName(), TestNode.parameters());
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      assertThatThrownBy(() -> node.cql(TABLE))
          .hasMessageContaining("class_name: io.curtail.engine.GuardedMemtable");
    }
  }

  @Test
  void should_not_start_when_a_table_is_there_and_default_is_not_guarded() throws IOException {
    NodeSettings settings = withOneRow("upgraded");
    NodeSettings unguarded =
        TestNode.plain(settings.directory())
            .memtable("rocksdb", RocksMemtable.class.getName(), TestNode.parameters());
    refused(unguarded, "Set the memtable configuration default", "GuardedMemtable");
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  /** Nothing of the engine runs then that could refuse it. */
  @Test
  void should_have_all_rows_again_when_a_start_without_the_engine_had_none() throws IOException {
    NodeSettings settings = withOneRow("replaced");
    NodeSettings plain = TestNode.plain(settings.directory());
    try (NodeProcess node = NodeProcess.start(plain)) {
      assertThat(node.cql("SELECT k FROM k.t")).isEmpty();
      node.cql("INSERT INTO k.t (k) VALUES (2)");
      node.stop();
    }
    assertThat(settings.directory().resolve("logs/system.log"))
        .content()
        .contains("Invalid memtable configuration");
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactlyInAnyOrder("k=1", "k=2");
    }
  }

  /** As RocksDB leaves it when it is killed, or has no room, as it makes its first files. */
  @Test
  void should_open_when_the_first_start_ended_before_rocksdb_was_made() throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("unmade"));
    Path rocks = settings.directory().resolve("data/curtail-rocksdb");
    Files.createDirectories(rocks.resolve("log"));
    for (String unfinished : List.of("LOG", "LOCK", "MANIFEST-000001", "000001.dbtmp")) {
      Files.writeString(rocks.resolve(unfinished), "");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      for (String data : List.of("000004.log", "MANIFEST-000005", "000008.sst", "log/1")) {
        Files.writeString(rocks.resolve(data), "");
        assertThatThrownBy(() -> node.cql(TABLE))
            .as(data)
            .hasMessageContaining("the file CURRENT is gone but data is there");
        Files.delete(rocks.resolve(data));
      }
      node.cql(TABLE);
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      node.stop();
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  /** What the error tells to do. */
  @Test
  void should_start_with_a_checkpoint_or_without_rows_when_the_directory_is_damaged()
      throws IOException {
    NodeSettings settings = withOneRow("damaged");
    Path rocks = settings.directory().resolve("data/curtail-rocksdb");
    Path copy = settings.directory().resolve("data/checkpoint");
    try (NodeProcess node = NodeProcess.start(settings)) {
      TestNode.call(node, "checkpoint " + copy);
      node.stop();
    }
    Files.delete(rocks.resolve("CURRENT"));
    refused(settings, "put a checkpoint in the place", "move it away", NodeMarker.NAME);
    Files.move(rocks, settings.directory().resolve("damaged"));
    Files.move(copy, rocks);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
      node.stop();
    }
    Files.move(rocks, settings.directory().resolve("away"));
    refused(settings, "has rows in " + rocks);
    Files.delete(settings.directory().resolve("data/" + NodeMarker.NAME));
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(node.cql("SELECT k FROM k.t")).isEmpty();
    }
  }

  @Test
  void should_delete_what_a_restore_has_left_that_was_killed() throws IOException {
    NodeSettings settings = withOneRow("restoring");
    Path left = settings.directory().resolve("data/curtail-rocksdb/restored-exported");
    Files.createDirectory(left);
    Files.writeString(left.resolve("000001.sst"), "rows");
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(left).doesNotExist();
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  /** A node of its own with a row; what a node would do to get there is done once. */
  private static NodeSettings withOneRow(String name) throws IOException {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory(name));
    copy(STOPPED.resolve("data"), settings.directory().resolve("data"));
    copy(STOPPED.resolve("commitlog"), settings.directory().resolve("commitlog"));
    Path marker = settings.directory().resolve("data/" + NodeMarker.NAME);
    Files.writeString(
        marker,
        Files.readString(marker).replace(STOPPED.toString(), settings.directory().toString()));
    return settings;
  }

  private static void makeOneRow(NodeSettings settings) throws IOException {
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql(TABLE);
      node.cql("INSERT INTO k.t (k) VALUES (1)");
      node.stop();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private static void refused(NodeSettings settings, String... why) {
    assertThatThrownBy(() -> NodeProcess.start(settings).close())
        .isInstanceOf(IllegalStateException.class)
        .satisfies(refusal -> assertThat(refusal.getMessage()).contains(why));
  }
}
