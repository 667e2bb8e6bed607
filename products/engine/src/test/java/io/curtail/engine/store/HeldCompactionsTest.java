/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.engine.TestNode;
import io.curtail.engine.options.EngineOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/** While the log is read again, compactions leave it the room of the disk. */
class HeldCompactionsTest {
  private static final int FILES = 12; // three times as many as begin a compaction
  private static final int VALUE_BYTES = 1 << 20; // what is let through would need 17 minutes

  @TempDir Path directory;

  @Test
  void should_write_nothing_until_it_goes_on() throws RocksDBException {
    TestNode.start(); // options ask for the configuration of a node
    RocksDB.loadLibrary();
    DatabaseOptions settings =
        new DatabaseOptions(
            EngineOptions.take(new HashMap<>(Map.of("merge", "java"))),
            directory.toString(),
            directory.resolve("native"),
            libraries -> {
              throw new IOException("not needed");
            },
            error -> {});
    settings.holdCompactions(true);
    Families families = new Families(settings, directory.toString());
    Family family = families.create(FamilyName.ofCopy().toString());
    try {
      for (int i = 0; i < FILES; i++) {
        writeFile(settings, families.database(), family);
      }
      assertThat(level0Files(families.database(), family)).isEqualTo(FILES);
      assertThat(settings.statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES)).isZero();
    } finally {
      settings.holdCompactions(false);
    }
    await(() -> level0Files(families.database(), family) < FILES / 3);
    families.database().close();
  }

  private static void writeFile(DatabaseOptions settings, RocksDB database, Family family)
      throws RocksDBException {
    byte[] value = new byte[VALUE_BYTES];
    new Random(1).nextBytes(value);
    for (byte key = 0; key < 2; key++) { // each file overlaps all others
      database.put(family.handle, settings.writing, new byte[] {key}, value);
    }
    try (FlushOptions flushing = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flushing, family.handle);
    }
  }

  private static long level0Files(RocksDB database, Family family) {
    try {
      return Long.parseLong(database.getProperty(family.handle, "rocksdb.num-files-at-level0"));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }
}
