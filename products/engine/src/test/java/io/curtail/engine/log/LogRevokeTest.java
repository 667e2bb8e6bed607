/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.io.FSWriteError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** Writes that are in the log when RocksDB refuses them. */
class LogRevokeTest {
  private static final int LARGE = 60_000;

  @TempDir Path directory;

  private final AtomicBoolean isFailing = new AtomicBoolean();
  private final AtomicInteger syncs = new AtomicInteger();

  @Test
  void should_pass_over_a_record_that_was_revoked_and_read_all_others() throws Exception {
    try (WriteAheadLog log = log()) {
      append(log, 1, 100);
      long refused = append(log, 2, 101);
      append(log, 3, 100);
      log.revoke(refused, 101);
      append(log, 4, 100);
    }
    assertThat(replayed()).containsExactly(1, 3, 4);
  }

  @Test
  void should_take_a_revoked_record_for_whole_where_the_log_is_synced() throws Exception {
    try (WriteAheadLog log = log()) {
      append(log, 1, 100);
      long refused = append(log, 2, 100);
      log.sync();
      log.revoke(refused, 100);
      append(log, 3, 100);
      log.sync();
    }
    assertThat(replayed()).containsExactly(1, 3);
  }

  @Test
  void should_revoke_a_record_of_a_segment_that_is_full_and_closed() throws Exception {
    try (WriteAheadLog log = log()) {
      append(log, 1, 100);
      long refused = append(log, 2, LARGE);
      append(log, 3, LARGE);
      append(log, 4, LARGE);
      log.sync();
      int before = syncs.get();
      log.revoke(refused, LARGE);
      assertThat(syncs).hasValue(before + 1);
      append(log, 5, 100);
    }
    assertThat(replayed()).containsExactly(1, 3, 4, 5);
  }

  @Test
  void should_revoke_in_a_thread_that_is_interrupted() throws Exception {
    try (WriteAheadLog log = log()) {
      long refused = append(log, 1, 100);
      Thread.currentThread().interrupt();
      log.revoke(refused, 100);
      assertThat(Thread.interrupted()).isTrue();
      append(log, 2, 100);
    }
    assertThat(replayed()).containsExactly(2);
  }

  @Test
  void should_refuse_a_mark_that_is_damaged_where_the_log_is_synced() throws Exception {
    try (WriteAheadLog log = log()) {
      long refused = append(log, 1, 100);
      log.revoke(refused, 100);
      log.sync();
    }
    Path file = directory.resolve(String.format("%016d.log", 1));
    assertThat(file).exists();
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.write(ByteBuffer.allocate(1).put((byte) 77).flip(), LogSegment.HEADER_BYTES + 5);
    }
    assertThatThrownBy(this::replayed).hasMessageContaining("checksum mismatch");
  }

  @Test
  void should_take_no_write_any_more_when_the_mark_could_not_be_written() throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    try (WriteAheadLog log = log();
        LogSync sync = new LogSync(log, "there", SyncMode.BATCH, 1, failures::add)) {
      append(log, 1, 100);
      sync.await();
      long refused = append(log, 2, 100);
      isFailing.set(true);
      sync.revoke(refused, 100);
      isFailing.set(false);
      assertThat(sync.hasFailed()).isTrue();
      assertThatThrownBy(() -> append(log, 3, 100)).isInstanceOf(FSWriteError.class);
      await(() -> !failures.isEmpty());
      assertThat(failures).singleElement().isInstanceOf(FSWriteError.class);
    }
  }

  private WriteAheadLog log() throws IOException {
    Files.createDirectories(directory);
    LogSegment.Disk disk =
        file -> {
          syncs.incrementAndGet();
          if (isFailing.get()) {
            throw new IOException("the disk fails");
          }
          LogSegment.Disk.SYSTEM.force(file);
        };
    return new WriteAheadLog(directory, 1 << 20, List.of(), new NothingFlushed(), disk);
  }

  private static long append(WriteAheadLog log, int number, int length) {
    byte[] record = new byte[length];
    ByteBuffer.wrap(record).putInt(number);
    return log.append(record, length, Set.of(7));
  }

  private List<Integer> replayed() throws IOException, RocksDBException {
    List<Integer> numbers = new ArrayList<>();
    LogReplay.replay(
        directory, boot(), Set.of(), record -> numbers.add(ByteBuffer.wrap(record).getInt()));
    return numbers;
  }

  /** A log that was never on another machine. */
  private BootMark boot() throws IOException {
    return new BootMark(directory.resolve("none"), directory.resolve("none"));
  }
}
