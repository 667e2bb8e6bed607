/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.engine.TestNode;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

class CompactionRoomTest {
  private static final int FILES_TO_COMPACT = 4;
  private static final int VALUE_BYTES = 1 << 20;

  @TempDir private Path directory;

  private Statistics statistics;
  private CompactionRoom room;
  private RocksDB database;
  private boolean isStopped;

  @BeforeAll
  static void start() {
    TestNode.start(); // what Cassandra keeps free of compactions is in its configuration
    RocksDB.loadLibrary();
  }

  @BeforeEach
  void open() throws RocksDBException {
    open(directory.toString());
  }

  private void open(String disk) throws RocksDBException {
    statistics = new Statistics();
    room = new CompactionRoom(disk, statistics, () -> isStopped);
    database =
        RocksDB.open(
            new Options()
                .setCreateIfMissing(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setStatistics(statistics)
                .setSstFileManager(room.files)
                .setLevel0FileNumCompactionTrigger(FILES_TO_COMPACT),
            directory.resolve("database").toString());
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void should_compact_where_there_is_room() throws RocksDBException {
    room.look(database);
    writeFiles(FILES_TO_COMPACT);
    await(() -> level0Files() == 0);
    assertThat(cancelled()).isZero();
  }

  /** RocksDB would as soon as it is open. */
  @Test
  void should_not_compact_before_anybody_has_looked() throws RocksDBException {
    writeFiles(FILES_TO_COMPACT);
    await(() -> cancelled() > 0);
    assertThat(level0Files()).isEqualTo(FILES_TO_COMPACT);
    room.look(database);
    await(() -> level0Files() == 0);
  }

  /** With its own check as much beyond all bytes it would begin none of any table. */
  @Test
  void should_leave_it_to_rocksdb_since_one_has_met_a_full_disk() throws RocksDBException {
    isStopped = true;
    room.look(database, 0);
    writeFiles(FILES_TO_COMPACT);
    await(() -> level0Files() == 0);
  }

  @Test
  void should_compact_where_nobody_knows_how_much_room_there_is() throws RocksDBException {
    database.close();
    open(directory.resolve("gone").toString());
    room.look(database);
    writeFiles(FILES_TO_COMPACT);
    await(() -> level0Files() == 0);
  }

  @Test
  void should_take_a_disk_without_an_end_for_a_large_one() throws RocksDBException {
    room.look(database, Long.MAX_VALUE);
    writeFiles(FILES_TO_COMPACT);
    await(() -> level0Files() == 0);
  }

  @Test
  void should_flush_and_not_compact_without_room_and_go_on_with_it() throws RocksDBException {
    room.look(database, (FILES_TO_COMPACT - 1) * VALUE_BYTES);
    writeFiles(FILES_TO_COMPACT);
    await(() -> cancelled() > 0);
    writeFiles(FILES_TO_COMPACT); // as far as there is room, whatever compactions may use
    assertThat(level0Files()).isEqualTo(2 * FILES_TO_COMPACT);
    room.look(database, 3 * FILES_TO_COMPACT * VALUE_BYTES);
    await(() -> level0Files() == 0);
  }

  @Test
  void should_refuse_one_that_somebody_waits_for() throws RocksDBException {
    writeFiles(2);
    room.look(database, VALUE_BYTES);
    assertThatThrownBy(() -> database.compactRange())
        .isInstanceOfSatisfying(
            RocksDBException.class, e -> assertThat(CompactionRoom.isShort(e)).isTrue());
    assertThat(level0Files()).isEqualTo(2);
    room.look(database, 3 * VALUE_BYTES);
    database.compactRange();
    assertThat(level0Files()).isZero();
  }

  /** What is written since counts as taken of the room. */
  @Test
  void should_count_what_was_flushed_since() throws RocksDBException {
    room.look(database, (FILES_TO_COMPACT + FILES_TO_COMPACT / 2) * VALUE_BYTES);
    writeFiles(FILES_TO_COMPACT);
    await(() -> cancelled() > 0);
    assertThat(level0Files()).isEqualTo(FILES_TO_COMPACT);
  }

  private void writeFiles(int files) throws RocksDBException {
    byte[] value = new byte[VALUE_BYTES];
    new Random(1).nextBytes(value);
    for (int i = 0; i < files; i++) {
      database.put(new byte[] {1}, value); // each overlaps all others
      try (FlushOptions flushing = new FlushOptions().setWaitForFlush(true)) {
        database.flush(flushing);
      }
    }
  }

  private long level0Files() {
    try {
      return Long.parseLong(database.getProperty("rocksdb.num-files-at-level0"));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private long cancelled() {
    return statistics.getTickerCount(TickerType.COMPACTION_CANCELLED);
  }
}
