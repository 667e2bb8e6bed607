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
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Flushes that somebody waits for, each while another of the table has just become due. */
class WaitedFlushesTest {
  private static final int ROUNDS = 200;
  private static final int PART_BYTES = 64 << 10;
  private static final int MOST_SPINS = 2_000;
  private static final int VALUE_BYTES = 8 << 10;
  private static final String NAME = FamilyName.ofCopy().toString();

  @TempDir private Path directory;

  /** RocksDB forgets some. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void should_all_end() throws RocksDBException {
    Families families = new Families(settings(), directory.toString(), false);
    try (RocksDB database = families.database();
        WriteOptions writing = new WriteOptions().setDisableWAL(true);
        Family.Use table = families.create(NAME).use()) {
      Random random = new Random(1);
      for (int round = 0; round < ROUNDS; round++) {
        for (int bytes = 0; bytes <= 2 * PART_BYTES; bytes += VALUE_BYTES) {
          database.put(table.handle, writing, Ints.toByteArray(bytes), new byte[VALUE_BYTES]);
        }
        for (int i = random.nextInt(MOST_SPINS); i > 0; i--) {
          Thread.onSpinWait(); // until the other flush is about to begin
        }
        families.flush(table);
        assertThat(database.getLongProperty(table.handle, "rocksdb.num-entries-imm-mem-tables"))
            .isZero();
      }
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
