/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.KEYSPACE;
import static io.curtail.engine.TestNode.call;
import static io.curtail.engine.TestNode.die;
import static io.curtail.engine.TestNode.synced;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tables that write Cassandra's commit log as well. */
class CommitLogTest {
  private static final int ROWS = 50;
  private static final int FILLED = 700;

  @Test
  void should_keep_what_was_written_before_when_the_node_dies_while_a_table_moves_in()
      throws IOException {
    NodeSettings settings = settings("movedin");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v int, padding text)");
      node.cql("CREATE INDEX v ON k.t (v) USING 'legacy_local_table'");
      call(node, "fill k.t 0 " + FILLED);
      node.cql("DELETE FROM k.t WHERE k = 8");
      die(node, "alterAndDie k.t logged");
    }
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(count(node, "t")).isEqualTo(FILLED - 1);
      node.cql("UPDATE k.t SET v = 9 WHERE k = 1");
      node.cql("DELETE FROM k.t WHERE k = 15");
      node.kill();
    }
    // What Cassandra's log has is written a second time.
    try (NodeProcess node = NodeProcess.start(settings)) {
      assertThat(count(node, "t")).isEqualTo(FILLED - 2);
      assertThat(node.cql("SELECT k FROM k.t WHERE v = 9")).containsExactly("k=1");
      assertThat(node.cql("SELECT k FROM k.t WHERE v = 1"))
          .hasSize(FILLED / 7 - 3)
          .doesNotContain("k=1", "k=8", "k=15");
      assertThat(call(node, "isCommitLogReleased")).containsExactly("true");
    }
  }

  /** With tables that write Cassandra's log, which has all that was answered after a kill. */
  private static NodeSettings settings(String name) {
    Map<String, String> logged = TestNode.parameters(Map.of("skip_commitlog", "false"));
    return synced(TestNode.settings(TestNode.newDirectory(name)))
        .memtable("logged", RocksMemtable.class.getName(), logged);
  }

  @Test
  void should_restore_a_table_from_the_commit_log_to_a_point_in_time() throws Exception {
    NodeSettings settings = settings("commitlog").yaml("cdc_enabled", "true");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
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

  /** No statement is refused then, and Cassandra checks no table at a start. */
  @Test
  void should_warn_of_cdc_when_its_table_leaves_the_commit_log_out_from_a_start_on()
      throws IOException {
    NodeSettings settings = settings("uncaptured").yaml("cdc_enabled", "true");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(KEYSPACE);
      create(node, "cdc", "logged", true);
      node.cql("INSERT INTO k.cdc (k, v) VALUES (1, 1)");
      node.stop();
    }
    Path log = settings.directory().resolve("logs/system.log");
    String warning = "CDC has nothing of what is written to [k.cdc]";
    assertThat(log).content().doesNotContain(warning);
    settings.memtable("logged", RocksMemtable.class.getName(), TestNode.parameters());
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql("INSERT INTO k.cdc (k, v) VALUES (2, 2)");
      await(() -> Files.readString(log).contains(warning));
    }
  }

  private static void create(NodeProcess node, String table, String memtable, boolean cdc)
      throws IOException {
    node.cql(
        String.format(
            "CREATE TABLE k.%s (k int PRIMARY KEY, v int) WITH memtable = '%s' AND cdc = %s",
            table, memtable, cdc));
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
