/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order segments come to the disk. */
class LogOrderTest {
  @TempDir Path directory;

  @Test
  void should_bring_segments_to_the_disk_in_their_order_when_two_fill_as_a_sync_begins()
      throws Exception {
    List<String> wrong = new CopyOnWriteArrayList<>();
    LogSegment.Disk disk =
        channel -> {
          check(wrong);
          LogSegment.Disk.SYSTEM.force(channel);
        };
    try (WriteAheadLog log =
        new WriteAheadLog(directory, 1 << 20, List.of(), new NothingFlushed(), disk)) {
      append(log);
      FutureTask<Void> sync =
          new FutureTask<>(
              () -> {
                log.sync();
                return null;
              });
      Thread thread = new Thread(sync, "log-order-test");
      synchronized (log) {
        thread.start();
        await(() -> thread.getState() == Thread.State.BLOCKED);
        append(log);
        append(log);
      }
      sync.get();
      check(wrong);
    }
    assertThat(wrong).isEmpty();
  }

  /** A segment that may be missing after a loss of power must be behind all that may not. */
  private void check(List<String> wrong) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> all = files.collect(Collectors.toList());
      long first =
          all.stream()
              .filter(file -> isNew(file) && number(file) > 0)
              .mapToLong(LogOrderTest::number)
              .min()
              .orElse(Long.MAX_VALUE);
      all.stream()
          .filter(file -> !isNew(file) && number(file) > first)
          .forEach(file -> wrong.add(file + " is on the disk before segment " + first));
    }
  }

  private static boolean isNew(Path file) {
    return file.toString().endsWith(LogSegment.NEW);
  }

  /** Zero of one that has not begun. */
  private static long number(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      return bytes.length < 2 * Long.BYTES ? 0 : ByteBuffer.wrap(bytes).getLong(Long.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nearly fills a segment of the smallest size. */
  private static void append(WriteAheadLog log) {
    log.append(new byte[60_000], 60_000, Set.of(7));
  }
}
