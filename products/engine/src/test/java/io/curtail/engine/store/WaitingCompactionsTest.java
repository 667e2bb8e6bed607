/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/** On a disk with little room compactions leave what there is to the log that is read again. */
class WaitingCompactionsTest {
  private static final int FILES = 12; // more than begin a compaction
  private static final int VALUE_BYTES = 1 << 20;
  private static final String NAME = FamilyName.ofCopy().toString();

  @TempDir private Path directory;

  private DatabaseOptions settings(String familyOptions) {
    return StoreSettings.of(directory, Map.of("cf_options", familyOptions));
  }

  /** With one column family that is there already. */
  private Families openWithLittleRoom(DatabaseOptions settings) throws RocksDBException {
    Families made = new Families(settings, directory.toString(), false);
    made.create(NAME);
    made.database().close();
    return new Families(settings, directory.toString(), true);
  }

  @Test
  void should_begin_when_they_are_told_to_though_files_wait() throws RocksDBException {
    DatabaseOptions settings = settings("max_write_buffer_number=2");
    Families families = openWithLittleRoom(settings);
    try (RocksDB database = families.database()) {
      Family family = families.get(NAME);
      for (int i = 0; i < FILES; i++) {
        writeFile(settings, database, family);
      }
      assertThat(level0Files(database, family)).isEqualTo(FILES);
      settings.compactionRoom.look(database);
      families.goOnCompacting();
      await(() -> level0Files(database, family) < DatabaseOptions.UNIVERSAL_RUNS);
    }
  }

  @Test
  void should_not_begin_where_the_operator_has_them_off() throws RocksDBException {
    DatabaseOptions settings = settings("disable_auto_compactions=true");
    Families families = openWithLittleRoom(settings);
    try (RocksDB database = families.database()) {
      families.goOnCompacting();
      assertThat(database.getOptions(families.get(NAME).handle).disableAutoCompactions()).isTrue();
    }
  }

  @Test
  void should_leave_out_one_that_was_dropped_meanwhile() throws RocksDBException {
    DatabaseOptions settings = settings("max_write_buffer_number=2");
    Families families = openWithLittleRoom(settings);
    try (RocksDB database = families.database()) {
      families.drop(NAME);
      families.goOnCompacting();
      assertThat(database.getOptions().disableAutoCompactions()).isFalse();
    }
  }

  /** For the disk it would take a day. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void should_end_when_the_process_does_though_they_are_throttled() throws RocksDBException {
    DatabaseOptions settings =
        StoreSettings.of(directory, Map.of("compaction_throughput", "1KiB/s"));
    Families families = new Families(settings, directory.toString(), false);
    try (RocksDB database = families.database()) {
      Family family = families.create(NAME);
      settings.compactionRoom.look(database);
      for (int i = 0; i < FILES; i++) {
        writeFile(settings, database, family);
      }
      await(() -> database.getLongProperty("rocksdb.num-running-compactions") > 0);
      families.endBackgroundWork();
      assertThat(database.getLongProperty("rocksdb.num-running-compactions")).isZero();
      assertThat(level0Files(database, family)).isEqualTo(FILES);
    }
  }

  /** RocksDB's own pool for the largest would keep what each of them reserves of the disk. */
  @Test
  void should_begin_again_and_again_where_there_is_room_for_each() throws RocksDBException {
    DatabaseOptions settings = StoreSettings.of(directory, Map.of("compaction", "universal"));
    Families families = new Families(settings, directory.toString(), false);
    try (RocksDB database = families.database()) {
      Family family = families.create(NAME);
      for (int i = 0; i < 10 * DatabaseOptions.UNIVERSAL_RUNS; i++) {
        writeFile(settings, database, family);
        settings.compactionRoom.look(database, 4L * DatabaseOptions.UNIVERSAL_RUNS * VALUE_BYTES);
        await(() -> level0Files(database, family) < DatabaseOptions.UNIVERSAL_RUNS);
      }
      assertThat(settings.statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES)).isPositive();
      assertThat(settings.statistics.getTickerCount(TickerType.COMPACTION_CANCELLED)).isZero();
    }
  }

  @Test
  void should_wait_where_the_log_may_need_the_room() {
    assertThat(RoomForLog.isShort(0, 0)).isFalse();
    assertThat(RoomForLog.isShort(1 << 30, 5L << 30)).isFalse();
    assertThat(RoomForLog.isShort(1 << 30, 3L << 30)).isTrue();
    assertThat(RoomForLog.isShort(1 << 20, 0)).isTrue();
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
