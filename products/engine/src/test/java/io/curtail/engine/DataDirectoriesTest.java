/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.engine.TestNode.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A node with two data directories, of which Cassandra takes either for what is new. */
class DataDirectoriesTest {
  private static final int ROUNDS = 6;

  @Test
  void should_name_and_find_each_snapshot_when_there_are_several_data_directories()
      throws IOException {
    Path directory = TestNode.newDirectory("two");
    NodeSettings settings =
        TestNode.settings(directory)
            .yaml(
                "data_file_directories",
                "[" + directory.resolve("data") + ", " + directory.resolve("more") + "]");
    try (NodeProcess node = NodeProcess.start(settings)) {
      node.cql(TestNode.KEYSPACE);
      node.cql("CREATE TABLE k.t (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
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
  }
}
