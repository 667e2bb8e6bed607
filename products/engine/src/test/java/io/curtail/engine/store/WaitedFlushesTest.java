/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Ints;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Flushes that somebody waits for, each while another of the table has just become due. */
class WaitedFlushesTest {
  private static final int ROUNDS = 200;

  /** Each that is forgotten takes a second. */
  private static final int LONG_ROUNDS = 12;

  private static final int PART_BYTES = 64 << 10;
  private static final int MOST_SPINS = 2_000;
  private static final int VALUE_BYTES = 8 << 10;
  private static final String NAME = FamilyName.ofCopy().toString();

  @TempDir private Path directory;

  private final Random random = new Random(1);

  /** RocksDB forgets some. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void should_all_end() throws RocksDBException {
    Families families = new Families(settings(), directory.toString(), false);
    try (RocksDB database = families.database();
        Family.Use table = families.create(NAME).use()) {
      for (int round = 0; round < ROUNDS; round++) {
        makeDue(database, table);
        families.flush(table);
        assertThat(database.getLongProperty(table.handle, "rocksdb.num-entries-imm-mem-tables"))
            .isZero();
      }
    }
  }

  /** As a checkpoint does, for which nobody else waits. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void should_end_when_rocksdb_flushes_by_itself_while_all_are_looked_after()
      throws RocksDBException {
    Families families = new Families(settings(), directory.toString(), false);
    try (RocksDB database = families.database();
        FlushOptions waiting = new FlushOptions();
        Family.Use table = families.create(NAME).use()) {
      for (int round = 0; round < LONG_ROUNDS; round++) {
        families.flushAllBefore(
            () -> {
              makeDue(database, table);
              database.flush(waiting, table.handle);
            });
        assertThat(database.getLongProperty(table.handle, "rocksdb.num-entries-imm-mem-tables"))
            .isZero();
      }
    }
  }

  /** Fills two parts of its write buffer, and waits until the flush of both is about to begin. */
  private void makeDue(RocksDB database, Family.Use table) throws RocksDBException {
    try (WriteOptions writing = new WriteOptions().setDisableWAL(true)) {
      for (int bytes = 0; bytes <= 2 * PART_BYTES; bytes += VALUE_BYTES) {
        database.put(table.handle, writing, Ints.toByteArray(bytes), new byte[VALUE_BYTES]);
      }
    }
    for (int i = random.nextInt(MOST_SPINS); i > 0; i--) {
      Thread.onSpinWait();
    }
  }

  private DatabaseOptions settings() {
    return StoreSettings.of(
        directory,
        Map.of(
            "write_buffer",
            "64KiB",
            "cf_options",
            "min_write_buffer_number_to_merge=2;disable_auto_compactions=true"));
  }
}
