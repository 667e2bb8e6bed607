/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** What is read of a log after a process was killed, and after the machine stopped. */
class LogBootTest {
  private static final int LARGE = 60_000;

  /** What a record of 100 bytes takes. */
  private static final int SMALL = 112;

  @TempDir Path home;

  private Path directory;
  private Path system;
  private List<LogSegment> found = List.of();

  @BeforeEach
  void start() throws Exception {
    directory = Files.createDirectory(home.resolve("log"));
    system = home.resolve("boot_id");
    boot("first");
    assertThat(replayed()).isEmpty();
  }

  @Test
  void should_leave_out_what_follows_a_gap_when_the_machine_stopped() throws Exception {
    withGap();
    boot("second");
    assertThat(replayed()).containsExactly(1, 2);
    assertThat(replayed()).as("at the next start").containsExactly(1, 2);
  }

  @Test
  void should_pass_over_a_gap_when_the_process_was_killed() throws Exception {
    withGap();
    assertThat(replayed()).containsExactly(1, 2, 4);
  }

  @Test
  void should_pass_over_a_gap_when_it_is_not_known_whether_the_machine_stopped() throws Exception {
    withGap();
    Files.delete(system);
    assertThat(replayed()).containsExactly(1, 2, 4);
    assertThat(home.resolve("mark")).as("it would say what is not so").doesNotExist();
    boot("second");
    assertThat(replayed()).containsExactly(1, 2, 4);
  }

  @Test
  void should_go_on_after_segments_that_were_not_full_when_the_machine_stopped() throws Exception {
    try (WriteAheadLog log = log()) {
      for (int i = 1; i <= 4; i++) {
        append(log, i, LARGE);
      }
      append(log, 5, 100);
      log.sync();
      append(log, 6, 100);
    }
    boot("second");
    assertThat(replayed()).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void should_leave_out_segments_of_which_nothing_was_synced_when_the_machine_stopped()
      throws Exception {
    unsyncedSegments();
    boot("second");
    assertThat(replayed()).containsExactly(1, 2);
    try (WriteAheadLog log = log()) {
      append(log, 5, 100);
    }
    assertThat(replayed()).containsExactly(1, 2, 5);
  }

  @Test
  void should_read_segments_of_which_nothing_was_synced_when_the_process_was_killed()
      throws Exception {
    unsyncedSegments();
    assertThat(replayed()).containsExactly(1, 2, 3, 4);
  }

  /** They were written to RocksDB, and may be in its files. */
  @Test
  void should_keep_what_a_start_has_read_when_the_machine_stops_later() throws Exception {
    withGap();
    assertThat(replayed()).containsExactly(1, 2, 4);
    try (WriteAheadLog log = log()) {
      append(log, 5, LARGE);
      append(log, 6, LARGE);
    }
    boot("second");
    assertThat(replayed()).containsExactly(1, 2, 4, 5);
  }

  @Test
  void should_leave_out_what_follows_a_missing_segment_when_the_machine_stopped() throws Exception {
    try (WriteAheadLog log = log()) {
      append(log, 1, LARGE);
      append(log, 2, LARGE);
    }
    Files.delete(segment(1));
    boot("second");
    assertThat(replayed()).isEmpty();
  }

  @Test
  void should_refuse_damage_where_the_log_is_synced_when_the_machine_stopped() throws Exception {
    try (WriteAheadLog log = log()) {
      append(log, 1, 100);
      append(log, 2, 100);
      log.sync();
    }
    overwrite(segment(1), LogSegment.HEADER_BYTES, SMALL);
    boot("second");
    assertThatThrownBy(this::replayed).hasMessageContaining("checksum mismatch");
  }

  /** Of four records the first is synced, the third is not there. */
  private void withGap() throws IOException {
    try (WriteAheadLog log = log()) {
      append(log, 1, 100);
      log.sync();
      append(log, 2, 100);
      append(log, 3, 100);
      append(log, 4, 100);
    }
    overwrite(segment(1), LogSegment.HEADER_BYTES + 2 * SMALL, SMALL);
  }

  /** Of four records the first is synced, the others are in segments behind it. */
  private void unsyncedSegments() throws IOException {
    try (WriteAheadLog log = log()) {
      append(log, 1, 100);
      log.sync();
      append(log, 2, LARGE);
      append(log, 3, LARGE);
      append(log, 4, LARGE);
    }
  }

  private void boot(String id) throws IOException {
    Files.writeString(system, id + "\n");
  }

  private WriteAheadLog log() {
    return new WriteAheadLog(directory, 1 << 20, found, new Unflushable());
  }

  /** So no segment is given back. */
  private static final class Unflushable extends NothingFlushed {
    @Override
    public void flush(Set<Integer> families) throws RocksDBException {
      throw new RocksDBException("not now");
    }
  }

  private static void append(WriteAheadLog log, int number, int length) {
    byte[] record = new byte[length];
    ByteBuffer.wrap(record).putInt(number);
    log.append(record, length, Set.of(7));
  }

  /** The file of a segment. */
  private Path segment(long number) throws IOException {
    try (var files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (ByteBuffer.wrap(Files.readAllBytes(file)).getLong(Long.BYTES) == number) {
          return file;
        }
      }
    }
    throw new IllegalStateException("there is no segment " + number);
  }

  private static void overwrite(Path file, int at, int length) throws IOException {
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.write(ByteBuffer.allocate(length), at);
    }
  }

  private List<Integer> replayed() throws IOException, RocksDBException {
    List<Integer> numbers = new ArrayList<>();
    BootMark boot = new BootMark(home.resolve("mark"), system);
    found =
        LogReplay.replay(
            directory, boot, Set.of(7), record -> numbers.add(ByteBuffer.wrap(record).getInt()));
    return numbers;
  }
}
