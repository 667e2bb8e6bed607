/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import static io.curtail.waiting.Waiting.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that are larger than the buffer that a writer has. */
class LargeRecordTest {
  private static final int ROUNDS = 3;
  private static final int THREADS = 4;
  private static final int LARGE = 8 << 20;

  @TempDir Path directory;

  /** In rounds, as a node of other tests may take memory meanwhile. */
  @Test
  void should_take_no_memory_for_good_when_several_threads_write_large_records() throws Exception {
    long least = Long.MAX_VALUE;
    try (WriteAheadLog log = log()) {
      for (int round = 0; round < ROUNDS; round++) {
        least = Math.min(least, takenByNewThreads(log));
      }
    }
    assertThat(least).isLessThan(LARGE / 2);
  }

  private static long takenByNewThreads(WriteAheadLog log) throws InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      long before = directBytes();
      CountDownLatch written = new CountDownLatch(THREADS);
      for (int i = 0; i < THREADS; i++) {
        executor.execute(
            () -> {
              log.append(new byte[LARGE], LARGE, Set.of(7));
              written.countDown();
            });
      }
      assertThat(written.await(PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
      return directBytes() - before;
    } finally {
      executor.shutdownNow();
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void should_read_what_was_written_when_it_is_about_as_large_as_the_buffer() throws Exception {
    List<byte[]> records = new ArrayList<>();
    try (WriteAheadLog log = log()) {
      for (int size = (32 << 10) - 20; size < (32 << 10) + 20; size++) {
        records.add(record(size));
        records.add(record(2 * size));
      }
      records.add(record(1 << 20));
      records.forEach(record -> log.append(record, record.length, Set.of(7)));
      log.sync();
    }
    List<byte[]> read = new ArrayList<>();
    BootMark boot = new BootMark(directory.resolve("none"), directory.resolve("none"));
    LogReplay.replay(directory, boot, Set.of(), read::add);
    assertThat(read).usingElementComparator(Arrays::compare).isEqualTo(records);
  }

  private static byte[] record(int size) {
    byte[] record = new byte[size];
    new Random(size).nextBytes(record);
    return record;
  }

  private WriteAheadLog log() {
    return new WriteAheadLog(directory, 1L << 40, List.of(), new NothingFlushed());
  }
}
