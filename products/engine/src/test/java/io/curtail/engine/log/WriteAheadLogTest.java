/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class WriteAheadLogTest {
  private static final long UNLIMITED = 1L << 40;
  private static final int FIRST = LogSegment.HEADER_BYTES;

  @TempDir Path directory;

  @Test
  void should_have_every_record_in_order_when_many_threads_wrote() throws Exception {
    int threads = 8;
    int records = 3_000;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (WriteAheadLog log = log(4 << 20, new Stored())) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        writers.add(
            executor.submit(
                () -> {
                  Random random = new Random(thread);
                  for (int j = 0; j < records; j++) {
                    append(log, record(thread, j, 8 + random.nextInt(200)));
                    if (j % 500 == 0) {
                      log.sync();
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(files()).hasSizeGreaterThan(5);
    int[] next = new int[threads];
    for (byte[] record : replayed()) {
      int thread = ByteBuffer.wrap(record).getInt();
      assertThat(record).isEqualTo(record(thread, next[thread]++, record.length));
    }
    assertThat(next).containsOnly(records);
  }

  @Test
  void should_have_every_record_when_a_writer_is_interrupted_again_and_again() throws Exception {
    int records = 20_000;
    AtomicInteger appended = new AtomicInteger();
    try (WriteAheadLog log = log(UNLIMITED, new Stored())) {
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      AtomicInteger interruptsSeen = new AtomicInteger();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int thread = i;
        writers.add(
            new Thread(
                () -> {
                  for (int j = 0; j < records || interruptsSeen.get() == 0; j++) {
                    append(log, record(thread, j, 100));
                    appended.incrementAndGet();
                    if (Thread.interrupted()) {
                      interruptsSeen.incrementAndGet();
                    }
                  }
                }));
        writers.get(i).setUncaughtExceptionHandler((writer, failure) -> failures.add(failure));
      }
      writers.forEach(Thread::start);
      while (writers.get(0).isAlive()) {
        writers.get(0).interrupt();
        log.sync();
      }
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(failures).isEmpty();
    }
    assertThat(replayed()).hasSize(appended.get()).doesNotHaveDuplicates();
  }

  @Test
  void should_take_a_record_that_is_larger_than_a_segment() throws Exception {
    try (WriteAheadLog log = log(UNLIMITED, new Stored())) {
      append(log, record(1, 1, 100));
      append(log, record(1, 2, 40 << 20));
      append(log, record(1, 3, 100));
    }
    assertThat(replayed()).extracting(record -> record.length).containsExactly(100, 40 << 20, 100);
  }

  @Test
  void should_go_on_after_what_is_there_when_it_is_opened_again() throws Exception {
    for (int start = 0; start < 3; start++) {
      try (WriteAheadLog log = openAgain(UNLIMITED, new Stored(Integer.MAX_VALUE))) {
        append(log, record(1, start, 100));
        log.sync();
      }
    }
    assertThat(replayed())
        .extracting(record -> ByteBuffer.wrap(record).getInt(Integer.BYTES))
        .containsExactly(0, 1, 2);
  }

  @Test
  void should_give_back_after_a_flush_when_there_is_too_much() throws Exception {
    Stored storage = new Stored(Integer.MAX_VALUE);
    try (WriteAheadLog log = log(1 << 20, storage)) {
      for (int i = 0; log.bytes() <= 1 << 20; i++) {
        append(log, record(1, i, 1_000));
      }
      await(() -> storage.failures.get() > 0);
      assertThat(log.bytes()).isGreaterThan(1 << 20);
      assertThat(replayed().get(0)).isEqualTo(record(1, 0, 1_000));
      storage.failing = 0;
      await(() -> log.bytes() <= 3 << 18);
    }
    assertThat(storage.flushed).containsExactly(Set.of(7));
  }

  @Test
  void should_give_back_at_once_what_was_flushed_and_nothing_else() throws Exception {
    Stored storage = new Stored();
    try (WriteAheadLog log = log(1 << 20, storage)) {
      for (int i = 0; log.bytes() <= 9 << 16; i++) {
        storage.place = i;
        append(log, record(1, i, 1_000));
      }
      log.flushed();
      Thread.sleep(300);
      assertThat(log.bytes()).isGreaterThan(9 << 16);
      storage.flushedTo = storage.place;
      log.flushed();
      await(() -> log.bytes() == 1 << 16);
    }
    assertThat(storage.flushed).isEmpty();
  }

  @Test
  void should_give_back_what_is_released_and_no_more_when_it_is_flushed() throws Exception {
    Stored storage = new Stored(1);
    try (WriteAheadLog log = log(UNLIMITED, storage)) {
      assertThat(log.has(log.release(7))).isFalse();
      append(log, record(1, 0, 100));
      assertThat(log.release(8)).isZero();
      long released = log.release(7);
      append(log, record(1, 1, 100));
      assertThat(log.has(released)).as("the first flush fails").isTrue();
      await(() -> !log.has(released));
      assertThat(storage.flushed).containsExactly(Set.of(7));
    }
    assertThat(replayed()).containsExactly(record(1, 1, 100));
  }

  @Test
  void should_not_give_back_what_is_not_written_yet() throws Exception {
    Stored storage = new Stored();
    try (WriteAheadLog log = log(1 << 20, storage)) {
      OpOrder.Group unfinished = log.start();
      try {
        for (int i = 0; log.bytes() <= 2 << 20; i++) {
          append(log, record(1, i, 1_000));
        }
        Thread.sleep(300);
        assertThat(storage.flushed).isEmpty();
      } finally {
        unfinished.close();
      }
      await(() -> log.bytes() <= 1 << 20);
      assertThat(storage.flushed).isNotEmpty();
    }
  }

  @Test
  void should_give_back_nothing_else_when_segments_could_not_be_deleted() throws Exception {
    try (WriteAheadLog log = log(1 << 20, new Stored())) {
      appendSegments(log, 1, 3);
    }
    Path elsewhere = directory.resolveSibling(directory.getFileName() + "-elsewhere");
    AtomicReference<WriteAheadLog> again = new AtomicReference<>();
    CountDownLatch flushedTwice = new CountDownLatch(2);
    Stored storage =
        new Stored() {
          @Override
          public void flush(Set<Integer> families) throws RocksDBException {
            super.flush(families);
            try {
              if (flushedTwice.getCount() == 2) {
                await(() -> again.get() != null);
                Files.move(directory, elsewhere);
              } else if (flushedTwice.getCount() == 1) {
                Files.move(elsewhere, directory);
                appendSegments(again.get(), 4, 8);
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            flushedTwice.countDown();
          }
        };
    try (WriteAheadLog log = openAgain(1 << 20, storage, Set.of(1, 2, 3))) {
      again.set(log);
      assertThat(flushedTwice.await(PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
      await(() -> log.bytes() == 5 << 16); // the segments are deleted after the flush
    }
    assertThat(replayed())
        .extracting(record -> ByteBuffer.wrap(record).getInt())
        .containsExactly(4, 5, 6, 7, 8);
    assertThat(storage.flushed).containsOnly(Set.of(1, 2, 3));
  }

  @Test
  void should_have_no_thread_that_waits_for_the_storage_when_it_is_ended() throws Exception {
    AtomicBoolean isFlushed = new AtomicBoolean();
    CountDownLatch flushing = new CountDownLatch(1);
    Stored storage =
        new Stored() {
          @Override
          public void flush(Set<Integer> families) {
            flushing.countDown();
            Uninterruptibles.sleepUninterruptibly(2, TimeUnit.SECONDS);
            isFlushed.set(true);
          }
        };
    try (WriteAheadLog log = log(1 << 20, storage)) {
      appendSegments(log, 1, 20);
      assertThat(flushing.await(PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
      log.end(Long.MAX_VALUE);
      assertThat(isFlushed).isTrue();
    }
  }

  /** Each is of a column family of its own, and nearly fills a segment of the smallest size. */
  private static void appendSegments(WriteAheadLog log, int from, int to) {
    for (int family = from; family <= to; family++) {
      append(log, record(family, family, 60_000), Set.of(family));
    }
  }

  @Test
  void should_go_on_in_another_segment_when_a_write_failed() throws Exception {
    try (WriteAheadLog log = log(UNLIMITED, new Stored())) {
      append(log, record(1, 0, 104));
      log.sync();
      Path file = files().get(0);
      Path elsewhere = Files.move(file, directory.resolve("elsewhere"));
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> append(log, record(1, 1, 104))).isInstanceOf(FSWriteError.class);
      assertThat(Thread.interrupted()).isTrue();
      Files.move(elsewhere, file);
      log.sync();
      int size = record(1, 1, 104).length;
      assertThat(
              ByteBuffer.wrap(Files.readAllBytes(file))
                  .getInt(LogSegment.HEADER_BYTES + LogSegment.lengthOf(size)))
          .as("no gap before what comes behind it")
          .isEqualTo(-size);
      append(log, record(1, 2, 104));
      log.sync();
    }
    assertThat(replayed())
        .extracting(record -> ByteBuffer.wrap(record).getInt(Integer.BYTES))
        .containsExactly(0, 2);
  }

  @Test
  void should_pass_over_a_write_that_ended_in_anything_that_is_thrown() throws Exception {
    try (WriteAheadLog log = log(UNLIMITED, new Stored())) {
      append(log, record(1, 0, 104));
      assertThatThrownBy(() -> append(log, record(1, 1, 104), null))
          .isInstanceOf(NullPointerException.class);
      append(log, record(1, 2, 104));
      log.sync();
    }
    assertThat(replayed())
        .extracting(record -> ByteBuffer.wrap(record).getInt(Integer.BYTES))
        .containsExactly(0, 2);
  }

  @Test
  void should_pass_over_a_write_that_was_not_finished() throws Exception {
    Path file = threeRecords(false);
    overwrite(file, FIRST + 108 + 4, 100);
    assertThat(replayed())
        .extracting(record -> ByteBuffer.wrap(record).getInt(Integer.BYTES))
        .containsExactly(0, 2);
  }

  @Test
  void should_leave_out_a_segment_of_which_nothing_came_to_the_disk() throws Exception {
    Path file = threeRecords(false);
    overwrite(file, 0, 1 << 20);
    assertThat(replayed()).isEmpty();
    assertThat(file).doesNotExist();
  }

  @Test
  void should_refuse_damage_in_what_was_synced() throws Exception {
    Path file = threeRecords(true);
    overwrite(file, FIRST + 108 + 40, 1);
    assertThatThrownBy(this::replayed)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("checksum mismatch at " + (FIRST + 112));
  }

  @Test
  void should_refuse_a_damaged_header() throws Exception {
    Path file = threeRecords(true);
    overwrite(file, 18, 1);
    assertThatThrownBy(this::replayed)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged header");
  }

  @Test
  void should_refuse_a_synced_segment_that_was_cut() throws Exception {
    Path file = threeRecords(true);
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.truncate(FIRST + 200);
    }
    assertThatThrownBy(this::replayed)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged header");
  }

  @Test
  void should_refuse_to_miss_a_segment() throws Exception {
    try (WriteAheadLog log = log(UNLIMITED, new Stored())) {
      for (int i = 0; i < 3; i++) {
        append(log, record(1, i, 30 << 20));
      }
      log.sync();
    }
    // The second file may be one that is made ready for later.
    for (Path file : files()) {
      if (!file.toString().endsWith(LogSegment.NEW)
          && ByteBuffer.wrap(Files.readAllBytes(file)).getLong(Long.BYTES) == 2) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(this::replayed)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a segment of the log is missing");
  }

  private Path threeRecords(boolean synced) throws IOException {
    try (WriteAheadLog log = log(UNLIMITED, new Stored())) {
      for (int i = 0; i < 3; i++) {
        append(log, record(1, i, 104));
      }
      if (synced) {
        log.sync();
      }
    }
    return files().get(0);
  }

  @Test
  void should_take_no_write_and_no_sync_for_done_when_a_sync_failed_once() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    LogSegment.Disk disk =
        file -> {
          if (fails.get()) {
            throw new IOException("the disk fails");
          }
          LogSegment.Disk.SYSTEM.force(file);
        };
    try (WriteAheadLog log =
        new WriteAheadLog(directory, UNLIMITED, List.of(), new Stored(), disk)) {
      append(log, record(1, 1, 100));
      log.sync();
      append(log, record(1, 2, 100));
      fails.set(true);
      assertThatThrownBy(log::sync).hasMessage("the disk fails");
      // The operating system has dropped what it could not write, and fails no more.
      fails.set(false);
      assertThatThrownBy(log::sync).hasMessageContaining("before the node is started again");
      assertThatThrownBy(() -> append(log, record(1, 3, 100))).isInstanceOf(FSWriteError.class);
    }
    List<byte[]> read = new ArrayList<>();
    LogReplay.replay(directory, boot(), Set.of(7), read::add);
    assertThat(read).hasSize(2);
  }

  @Test
  void should_take_a_sync_for_done_when_its_thread_was_interrupted() throws Exception {
    try (WriteAheadLog log = log(UNLIMITED, new Stored())) {
      for (int i = 1; i <= 50; i++) {
        append(log, record(1, i, 100));
        Thread.currentThread().interrupt();
        log.sync();
        assertThat(Thread.interrupted()).isTrue();
      }
    }
    List<byte[]> read = new ArrayList<>();
    LogReplay.replay(directory, boot(), Set.of(7), read::add);
    assertThat(read).hasSize(50);
  }

  private WriteAheadLog log(long mostBytes, Stored storage) {
    return new WriteAheadLog(directory, mostBytes, List.of(), storage);
  }

  private WriteAheadLog openAgain(long mostBytes, Stored storage) throws Exception {
    return openAgain(mostBytes, storage, Set.of(7));
  }

  private WriteAheadLog openAgain(long mostBytes, Stored storage, Set<Integer> families)
      throws Exception {
    List<LogSegment> found = LogReplay.replay(directory, boot(), families, record -> {});
    return new WriteAheadLog(directory, mostBytes, found, storage);
  }

  private static void append(WriteAheadLog log, byte[] record) {
    append(log, record, Set.of(7));
  }

  private static void append(WriteAheadLog log, byte[] record, Set<Integer> families) {
    OpOrder.Group unfinished = log.start();
    try {
      log.append(record, record.length, families);
    } finally {
      unfinished.close();
    }
  }

  private static byte[] record(int thread, int number, int length) {
    byte[] record = new byte[length];
    new Random(number).nextBytes(record);
    ByteBuffer.wrap(record).putInt(thread).putInt(number);
    return record;
  }

  private List<byte[]> replayed() throws IOException, RocksDBException {
    List<byte[]> records = new ArrayList<>();
    LogReplay.replay(directory, boot(), Set.of(), records::add);
    return records;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().collect(Collectors.toList());
    }
  }

  private static void overwrite(Path file, int at, int length) throws IOException {
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.write(ByteBuffer.wrap(new byte[length]), at);
    }
  }

  /** A log that was never on another machine. */
  private BootMark boot() throws IOException {
    return new BootMark(directory.resolve("none"), directory.resolve("none"));
  }
}
