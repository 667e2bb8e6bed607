/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tables that write Cassandra's commit log as well. */
class CommitLogTest {
  private static final int ROWS = 50;

  @Test
  void should_restore_a_table_from_the_commit_log_to_a_point_in_time() throws Exception {
    NodeSettings settings = TestNode.settings(TestNode.newDirectory("commitlog"));
    Map<String, String> logged = new HashMap<>(TestNode.parameters());
    logged.put("skip_commitlog", "false");
    settings.memtable("logged", RocksMemtable.class.getName(), logged);
    settings.yaml("cdc_enabled", "true");
    // Cassandra's log, unlike the engine's, has nothing for a reader before its next sync.
    settings.yaml("commitlog_sync", "batch").yaml("commitlog_sync_period", "0ms");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy',"
              + " 'replication_factor': 1}");
      assertThatThrownBy(() -> create(node, "refused", "rocksdb", true))
          .hasMessageContaining("CDC");
      create(node, "cdc", "logged", true);
      create(node, "logged", "logged", false);
      create(node, "skipped", "rocksdb", false);
      for (int k = 0; k < ROWS; k++) {
        for (String table : List.of("cdc", "logged", "skipped")) {
          node.cql("INSERT INTO k." + table + " (k, v) VALUES (" + k + ", " + k + ")");
        }
      }
      node.cql("DELETE FROM k.logged WHERE k = 7");
      // after the point that is restored to
      node.cql("INSERT INTO k.logged (k, v) VALUES (-1, -1) USING TIMESTAMP 4102444800000000");
      node.kill();
    }
    Path archive = archive(settings);
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(count(node, "logged")).isEqualTo(ROWS);
      node.kill();
    }
    Path data = settings.directory().resolve("data");
    Files.move(data.resolve("curtail-rocksdb"), data.resolveSibling("lost-rocksdb"));
    Files.delete(data.resolve(NodeMarker.NAME));
    restore(settings, archive, "2099:12:31 23:59:59");
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(count(node, "cdc")).isEqualTo(ROWS);
      assertThat(count(node, "logged")).isEqualTo(ROWS - 1);
      assertThat(node.cql("SELECT v FROM k.logged WHERE k = 7")).isEmpty();
      assertThat(node.cql("SELECT v FROM k.logged WHERE k = -1")).isEmpty();
      assertThat(count(node, "skipped")).isZero();
      node.kill();
    }
  }

  private static void create(NodeProcess node, String table, String memtable, boolean cdc)
      throws IOException {
    node.cql(
        "CREATE TABLE k."
            + table
            + " (k int PRIMARY KEY, v int) WITH memtable = '"
            + memtable
            + "' AND cdc = "
            + cdc);
  }

  private static int count(NodeProcess node, String table) throws IOException {
    return node.cql("SELECT k FROM k." + table).size();
  }

  /** What {@code archive_command} keeps: a start deletes the segments that it has replayed. */
  private static Path archive(NodeSettings settings) throws IOException {
    Path archive = Files.createDirectories(settings.directory().resolve("archive"));
    try (Stream<Path> segments = Files.list(settings.directory().resolve("commitlog"))) {
      for (Path segment : (Iterable<Path>) segments::iterator) {
        Files.copy(segment, archive.resolve(segment.getFileName()));
      }
    }
    return archive;
  }

  /** As an operator does, in a file that Cassandra looks for in its class path. */
  private static void restore(NodeSettings settings, Path archive, String moment)
      throws IOException {
    Path conf = Files.createDirectories(settings.directory().resolve("restore"));
    Files.writeString(
        conf.resolve("commitlog_archiving.properties"),
        "restore_command=cp -f %from %to\nrestore_directories="
            + archive
            + "\nrestore_point_in_time="
            + moment
            + "\n");
    List<Path> classPath = new ArrayList<>(List.of(conf));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classPath.add(Path.of(entry));
    }
    settings.classPath(classPath);
  }
}
