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
