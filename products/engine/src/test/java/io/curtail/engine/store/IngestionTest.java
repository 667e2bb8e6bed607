/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import io.curtail.engine.codec.ByteWriter;
import io.curtail.testnode.EmbeddedNode;
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
      try (SortedFile file = sorted(database, name)) {
        truncate(onlyOther(directory, kept));
        assertThatThrownBy(() -> file.ingest(family.handle)).isInstanceOf(FSWriteError.class);
      }
      assertThat(kept).exists();
      assertThat(onlyOther(directory, kept)).isNull();
    }
    try (SortedFile file = sorted(database, name)) {
      assertThat(kept).exists();
      file.ingest(family.handle);
    }
    assertThat(kept).doesNotExist();
    assertThat(onlyOther(directory, kept)).isNull();
    database.dropFamily(name.toString());
  }

  private static SortedFile sorted(Database database, FamilyName name) {
    SortedFile file = new SortedFile(database, name);
    assertThat(file.add(new byte[] {1}, new ByteWriter())).isTrue();
    file.finish();
    return file;
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
