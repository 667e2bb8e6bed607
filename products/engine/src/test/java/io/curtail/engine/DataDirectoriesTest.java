/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.store.NodeMarker;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A node with two data directories, of which Cassandra takes either for what is new. */
class DataDirectoriesTest {
  private static final int ROUNDS = 6;
  private static final Path DIRECTORY = TestNode.newDirectory("two");

  private static NodeProcess node;

  @BeforeAll
  static void startNode() throws IOException {
    node =
        NodeProcess.start(
            TestNode.settings(DIRECTORY)
                .yaml(
                    "data_file_directories",
                    "[" + DIRECTORY.resolve("data") + ", " + DIRECTORY.resolve("more") + "]")
                .yaml("local_system_data_file_directory", DIRECTORY.resolve("system").toString()));
    node.cql(TestNode.KEYSPACE);
  }

  @AfterAll
  static void stopNode() throws IOException {
    node.close();
  }

  private static void create(String table) throws IOException {
    node.cql("CREATE TABLE k." + table + " (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
  }

  @Test
  void should_name_and_find_each_snapshot_when_there_are_several_data_directories()
      throws IOException {
    create("t");
    for (int round = 0; round < ROUNDS; round++) {
      node.cql("INSERT INTO k.t (k) VALUES (" + round + ")");
      call(node, "snapshot k t s" + round);
      node.cql("TRUNCATE k.t");
      assertThat(node.cql("SELECT k FROM k.t")).isEmpty();
      assertThat(call(node, "restore k t s" + round)).containsExactly("1");
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=" + round);
      node.cql("TRUNCATE k.t");
    }
  }

  /** Cassandra removes the folders of it that it has written to, which need not be the engine's. */
  @Test
  void should_remove_all_of_a_snapshot_that_has_expired() throws IOException {
    create("expiring");
    node.cql("INSERT INTO k.expiring (k) VALUES (1)");
    List<String> left;
    int round = 0;
    do {
      left = call(node, "expire k expiring s" + round++);
      assertThat(left).isIn(List.of("0 0"), List.of("1 0"));
    } while (!left.equals(List.of("1 0")));
  }

  /** Where Cassandra keeps its own tables may be a small disk. */
  @Test
  void should_keep_rows_in_the_first_directory_that_is_for_tables() throws IOException {
    create("kept");
    node.cql("INSERT INTO k.kept (k) VALUES (1)");
    assertThat(DIRECTORY.resolve("data/curtail-rocksdb/CURRENT")).exists();
    assertThat(DIRECTORY.resolve("system")).isDirectoryNotContaining("glob:**/curtail-rocksdb");
  }

  /** Or the node would be refused once the older ones are taken out. */
  @Test
  void should_note_its_rows_in_a_directory_that_was_added() throws IOException {
    Path directory = TestNode.newDirectory("grown");
    NodeSettings settings = TestNode.settings(directory);
    try (NodeProcess before = NodeProcess.start(settings)) {
      before.cql(TestNode.KEYSPACE);
      before.cql("CREATE TABLE k.t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
      before.cql("INSERT INTO k.t (k) VALUES (1)");
      before.stop();
    }
    Path more = directory.resolve("more");
    settings.yaml("data_file_directories", "[" + directory.resolve("data") + ", " + more + "]");
    try (NodeProcess after = NodeProcess.start(settings)) {
      assertThat(after.cql("SELECT k FROM k.t")).containsExactly("k=1");
      assertThat(more.resolve(NodeMarker.NAME)).exists();
    }
  }
}
