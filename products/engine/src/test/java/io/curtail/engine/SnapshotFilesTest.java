/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.testnode.EmbeddedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.junit.jupiter.api.Test;

/** What a snapshot of a table in RocksDB is on the disk. */
class SnapshotFilesTest {
  private final EmbeddedNode node = TestNode.start();

  /** RocksDB would begin as soon as it has the files, beside all of the node's limits. */
  @Test
  void should_not_be_compacted_when_it_is_taken() throws IOException {
    node.cql("CREATE TABLE twin.photographed (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.photographed (k) VALUES (1)");
    ColumnFamilyStore table = node.store("twin", "photographed");
    table.snapshot("still");
    String options = options(table, "still");
    int family = options.indexOf("[CFOptions \"twin/photographed/");
    assertThat(family).isPositive();
    assertThat(options.substring(family))
        .contains("disable_auto_compactions=true")
        .doesNotContain("disable_auto_compactions=false");
    node.cql("DROP TABLE twin.photographed");
  }

  @Test
  void should_be_restored_when_a_field_of_a_type_in_its_key_was_renamed() throws IOException {
    node.cql("CREATE TYPE twin.shot (x int)");
    node.cql(
        "CREATE TABLE twin.framed (p frozen<shot>, c frozen<shot>, v int, PRIMARY KEY (p, c)) WITH"
            + " CLUSTERING ORDER BY (c DESC) AND memtable = 'rocksdb'");
    node.cql("INSERT INTO twin.framed (p, c, v) VALUES ({x: 1}, {x: 2}, 3)");
    node.store("twin", "framed").snapshot("renamed");
    node.cql("ALTER TYPE twin.shot RENAME x TO y");
    node.cql("TRUNCATE twin.framed");
    new EngineControl(Engine.running()).restore("twin", "framed", "renamed");
    assertThat(node.rows("SELECT v FROM twin.framed WHERE p = {y: 1} AND c = {y: 2}"))
        .containsExactly("v=3");
    node.cql("DROP TABLE twin.framed");
    node.cql("DROP TYPE twin.shot");
  }

  /** What RocksDB has written down last. */
  private static String options(ColumnFamilyStore table, String snapshot) throws IOException {
    Path folder = table.getDirectories().getDirectoryForNewSSTables().toPath();
    try (Stream<Path> files =
        Files.list(folder.resolve("snapshots").resolve(snapshot).resolve("rocksdb"))) {
      return Files.readString(
          files
              .filter(file -> file.getFileName().toString().matches("OPTIONS-\\d+"))
              .max(Comparator.comparing(file -> file.getFileName().toString()))
              .orElseThrow());
    }
  }
}
