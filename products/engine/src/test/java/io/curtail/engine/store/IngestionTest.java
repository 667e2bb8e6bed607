/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.NodeActions;
import io.curtail.engine.TestNode;
import io.curtail.testnode.EmbeddedNode;
import io.curtail.testnode.NodeProcess;
import io.curtail.testnode.NodeSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.cassandra.io.FSWriteError;
import org.junit.jupiter.api.Test;

/** Which files stay when RocksDB does not take them in. */
class IngestionTest {
  @Test
  void should_keep_the_last_file_that_was_not_taken_until_one_is() throws IOException {
    EmbeddedNode node = TestNode.start();
    node.cql(
        "CREATE TABLE IF NOT EXISTS twin.ingestion (k int PRIMARY KEY) WITH memtable = 'rocksdb'");
    Database database = TestNode.store(node.store("twin", "ingestion")).database;
    Path directory = Ingestion.directory(Path.of(database.directory));
    Path kept = directory.resolve("kept.sst");
    FamilyName name = FamilyName.ofCopy();
    Family family = database.families.create(name.toString());
    for (int i = 0; i < 2; i++) {
      try (SortedFile file = IngestionActions.sorted(database, name)) {
        truncate(onlyOther(directory, kept));
        assertThatThrownBy(() -> file.ingest(family)).isInstanceOf(FSWriteError.class);
      }
      assertThat(kept).exists();
      assertThat(onlyOther(directory, kept)).isNull();
    }
    try (SortedFile file = IngestionActions.sorted(database, name)) {
      assertThat(kept).exists();
      for (int i = 0; i < 100; i++) { // and keeps that there is none
        assertThat(database.recordCache.find(family, IngestionActions.KEY)).isNull();
      }
      file.ingest(family);
      assertThat(database.recordCache.find(family, IngestionActions.KEY)).isNotNull();
    }
    assertThat(kept).doesNotExist();
    assertThat(onlyOther(directory, kept)).isNull();
    database.dropFamily(name.toString());
  }

  /** RocksDB has noted nothing then: the file that is kept already may be the one it has noted. */
  @Test
  void should_refuse_files_and_keep_none_when_rocksdb_has_stopped() throws IOException {
    NodeSettings settings = settings("stopped").yaml("disk_failure_policy", "ignore");
    Path directory =
        Ingestion.directory(settings.directory().resolve("data").resolve("curtail-rocksdb"));
    try (NodeProcess node = start(settings)) {
      node.call(IngestionActions.class, "begin");
      Path kept = Files.write(directory.resolve("kept.sst"), new byte[] {1, 2, 3});
      assertThat(node.call(IngestionActions.class, "check")).containsExactly("taken");
      assertThatThrownBy(() -> node.call(IngestionActions.class, "takeAfterFailure"))
          .hasMessageContaining("Is a directory");
      assertThat(node.call(IngestionActions.class, "check").toString())
          .contains("refused", "Is a directory");
      assertThatThrownBy(() -> node.call(IngestionActions.class, "begin"))
          .hasMessageContaining("Is a directory");
      assertThat(kept).hasBinaryContent(new byte[] {1, 2, 3});
      assertThat(onlyOther(directory, kept)).isNull();
      assertThat(node.cql("SELECT k FROM k.t")).containsExactly("k=1");
    }
  }

  @Test
  void should_neither_wait_nor_refuse_when_writers_wait_for_rocksdb() throws IOException {
    try (NodeProcess node = start(settings("waiting"))) {
      node.call(NodeActions.class, "stall", "k.t");
      assertThat(node.call(IngestionActions.class, "check")).containsExactly("taken");
      node.call(IngestionActions.class, "begin");
      node.call(NodeActions.class, "endStall");
    }
  }

  private static NodeSettings settings(String name) {
    return TestNode.settings(TestNode.newDirectory(name));
  }

  private static NodeProcess start(NodeSettings settings) throws IOException {
    NodeProcess node = NodeProcess.start(settings);
    node.cql(TestNode.KEYSPACE);
    node.cql("CREATE TABLE k.t (k int PRIMARY KEY, v blob) WITH memtable = 'rocksdb'");
    node.cql("INSERT INTO k.t (k) VALUES (1)");
    return node;
  }

  private static void truncate(Path file) throws IOException {
    Files.write(file, new byte[] {0});
  }

  /** Null if there is none. */
  private static Path onlyOther(Path directory, Path kept) throws IOException {
    Path other = null;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!file.equals(kept)) {
          assertThat(other).isNull();
          other = file;
        }
      }
    }
    return other;
  }
}
