/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TickerType;

/** Rows that are written over, on disks with more and less room than they take. */
class MergeRoomTest {
  private static final int ROWS = 64;
  private static final int ROW_BYTES = 64 << 10;
  private static final long BYTES = (long) ROWS * ROW_BYTES;
  private static final int ROWS_OF_RUN = 2;
  private static final int RUNS = 4 * ROWS / ROWS_OF_RUN;
  private static final long DISK = BYTES * 5 / 2;
  private static final String NAME = FamilyName.ofCopy().toString();

  private final Random random = new Random(1);

  @TempDir private Path directory;

  private DatabaseOptions settings;
  private Families families;
  private RocksDB database;
  private Family family;
  private MergeRoom merges;

  @BeforeEach
  void fill() throws RocksDBException {
    settings = settings(Map.of());
    families = new Families(settings, directory.toString(), false);
    database = families.database();
    family = families.create(NAME);
    merges = new MergeRoom(families, 0);
    settings.compactionRoom.look(database, 4 * BYTES);
    for (int row = 0; row < ROWS; row++) {
      write(row);
    }
    flush();
    database.compactRange(family.handle);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private DatabaseOptions settings(Map<String, String> more) {
    Map<String, String> parameters = new HashMap<>(more);
    parameters.put("compression", "none");
    parameters.put("compaction", "universal");
    return StoreSettings.of(directory, parameters);
  }

  @Test
  void should_let_garbage_grow_as_far_as_it_can_go_again() {
    assertThat(percent(100, 0, 1000)).isEqualTo(100);
    assertThat(percent(100, 90, 1000)).isEqualTo(100);
    assertThat(percent(100, 0, 250)).isEqualTo(50);
    assertThat(percent(100, 50, 200)).as("of the same disk").isEqualTo(50);
    assertThat(percent(100, 0, 180)).isEqualTo(25);
    assertThat(percent(100, 0, 101)).isEqualTo(12);
    assertThat(percent(100, 0, 99)).isZero();
    assertThat(percent(100, 20, 110)).isZero();
    assertThat(percent(0, 0, 0)).isEqualTo(100);
    assertThat(percent(1L << 44, 1L << 44, Long.MAX_VALUE)).isEqualTo(100);
  }

  private static int percent(long rows, long garbage, long room) {
    return MergeLimits.of(rows, garbage, room).garbagePercent;
  }

  @Test
  void should_set_nothing_else() throws RocksDBException, IOException {
    assertThat(options()).contains("max_size_amplification_percent=100;", "max_merge_width=21474");
    merges.look(BYTES * 3 / 2);
    assertThat(options())
        .contains("max_size_amplification_percent=12;", "min_merge_width=2;", "size_ratio=50;")
        .contains("level0_file_num_compaction_trigger=6\n", "max_merge_width=2147483647;");
    merges.look(BYTES / 2);
    assertThat(options()).contains("max_merge_width=3;", "min_merge_width=2;");
  }

  @Test
  void should_be_looser_with_some_more_room_than_that_needs() {
    merges.look(BYTES * 9 / 8);
    assertThat(family.mergeLimits.garbagePercent).isEqualTo(12);
    merges.look(BYTES * 7 / 4);
    assertThat(family.mergeLimits.garbagePercent).as("25 with all of it").isEqualTo(12);
    merges.look(BYTES * 9 / 4);
    assertThat(family.mergeLimits.garbagePercent).as("with three quarters of it").isEqualTo(25);
    merges.look(5 * BYTES);
    assertThat(family.mergeLimits).isEqualTo(MergeLimits.USUAL);
  }

  @Test
  void should_leave_what_the_operator_says() {
    assertThat(settings.areMergesByRoom()).isTrue();
    for (String given :
        List.of(
            "compaction_options_universal={max_size_amplification_percent=50}",
            "compaction_options_universal.size_ratio=5",
            "level0_file_num_compaction_trigger=4")) {
      assertThat(settings(Map.of("cf_options", given)).areMergesByRoom()).as(given).isFalse();
    }
  }

  @Test
  void should_go_on_with_few_runs_where_all_have_no_room() throws RocksDBException {
    while (cancelled() == 0 || bytesOfFiles() < 2 * BYTES) {
      settings.compactionRoom.look(database, BYTES / 2);
      writeRun();
      awaitCompactions();
    }
    long before = level0Files();
    merges.look(BYTES / 2);
    for (int run = 0; run < 2 * DatabaseOptions.UNIVERSAL_RUNS; run++) {
      settings.compactionRoom.look(database, BYTES / 2);
      writeRun();
    }
    await(() -> level0Files() < before);
    assertThat(bytesOfFiles()).as("of garbage, which stays").isGreaterThan(BYTES * 5 / 4);
  }

  @Test
  void should_have_garbage_go_while_there_is_room_to() throws RocksDBException {
    for (int run = 0; run < RUNS; run++) {
      merges.look(settings.compactionRoom.look(database, DISK - bytesOfFiles()));
      writeRun();
      awaitCompactions();
    }
    assertThat(cancelled()).isZero();
    assertThat(bytesOfFiles()).isLessThan(DISK);
  }

  /** What the test before would be without those limits. */
  @Test
  void should_fill_the_disk_with_garbage_without_limits() throws RocksDBException {
    for (int run = 0; run < RUNS && bytesOfFiles() < DISK; run++) {
      settings.compactionRoom.look(database, DISK - bytesOfFiles());
      writeRun();
      awaitCompactions();
    }
    assertThat(cancelled()).isPositive();
    assertThat(bytesOfFiles()).isGreaterThanOrEqualTo(DISK);
  }

  private void writeRun() throws RocksDBException {
    for (int row = 0; row < ROWS_OF_RUN; row++) {
      write(random.nextInt(ROWS));
    }
    flush();
  }

  private void write(int row) throws RocksDBException {
    byte[] value = new byte[ROW_BYTES];
    random.nextBytes(value);
    byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(row).array();
    database.put(family.handle, settings.writing, key, value);
  }

  private void flush() throws RocksDBException {
    try (FlushOptions flushing = new FlushOptions().setWaitForFlush(true)) {
      database.flush(flushing, family.handle);
    }
  }

  /**
   * Or until one has no room. What is pending is asked first, as it becomes what runs. With as many
   * runs as there may be they may rest, and RocksDB calls that pending.
   */
  private void awaitCompactions() {
    await(
        () ->
            cancelled() > 0
                || ((property("compaction-pending") == 0
                        || level0Files() < DatabaseOptions.UNIVERSAL_RUNS)
                    && property("num-running-compactions") == 0));
  }

  private long property(String name) {
    try {
      return database.getLongProperty(family.handle, "rocksdb." + name);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private long level0Files() {
    try {
      return Long.parseLong(database.getProperty(family.handle, "rocksdb.num-files-at-level0"));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private long bytesOfFiles() throws RocksDBException {
    return database.getLongProperty(family.handle, "rocksdb.live-sst-files-size");
  }

  private long cancelled() {
    return settings.statistics.getTickerCount(TickerType.COMPACTION_CANCELLED);
  }

  /** Those of the table, as RocksDB wrote them down last. */
  private String options() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Path last =
          files
              .filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
              .max(Comparator.comparing(Path::getFileName))
              .orElseThrow();
      String all = Files.readString(last);
      return all.substring(all.indexOf("CFOptions \"" + NAME + "\""));
    }
  }
}
