/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

import static io.curtail.waiting.Waiting.PATIENCE;
import static io.curtail.waiting.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSWriteError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A disk that fails once, as if what it did not take were lost, and then no more. */
@Timeout(300)
class LogSyncTest {
  private static final String THREAD = "rocksdb-log-sync";

  @TempDir Path directory;

  private final AtomicBoolean isFailing = new AtomicBoolean();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(LogSync.class);

  @BeforeEach
  void hear() {
    said.start();
    logger.addAppender(said);
  }

  @AfterEach
  void hearNoMore() {
    logger.detachAppender(said);
  }

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void should_say_once_that_a_sync_failed_and_take_none_for_done_after_it(SyncMode mode)
      throws Exception {
    Set<Thread> before = threads();
    try (WriteAheadLog log = log();
        LogSync sync = new LogSync(log, "there", mode, 1, failures::add)) {
      Set<Thread> begun = threads();
      begun.removeAll(before);
      append(log);
      sync.sync();
      sync.await();
      isFailing.set(true);
      append(log);
      assertThatThrownBy(
              () -> {
                while (true) {
                  sync.await();
                }
              })
          .isInstanceOf(FSWriteError.class);
      isFailing.set(false);
      await(() -> begun.stream().noneMatch(Thread::isAlive));
      assertThat(failures).singleElement().isInstanceOf(FSError.class);
      assertThat(said.list)
          .singleElement()
          .extracting(ILoggingEvent::getFormattedMessage)
          .asString()
          .contains("there", "disk_failure_policy", "started again");
      assertThatThrownBy(sync::await).isInstanceOf(FSWriteError.class);
      assertThatThrownBy(sync::sync).isInstanceOf(FSWriteError.class);
      assertThatThrownBy(() -> append(log)).isInstanceOf(FSWriteError.class);
    }
  }

  /** A clock of the test's own: where the thread sleeps for a period, it sleeps for an hour. */
  @Test
  void should_wait_for_a_sync_that_goes_on_when_it_began_late_enough_for_the_writer()
      throws Exception {
    AtomicLong hours = new AtomicLong();
    Semaphore mayEnd = new Semaphore(0);
    AtomicInteger begun = new AtomicInteger();
    LogSegment.Disk disk =
        file -> {
          begun.incrementAndGet();
          mayEnd.acquireUninterruptibly();
        };
    try (WriteAheadLog log =
            new WriteAheadLog(directory, 1L << 40, List.of(), new NothingFlushed(), disk);
        LogSync sync =
            new LogSync(
                log,
                "there",
                SyncMode.PERIODIC,
                TimeUnit.HOURS.toMillis(10),
                failures::add,
                () -> TimeUnit.HOURS.toNanos(hours.get()))) {
      append(log);
      hours.set(16);
      FutureTask<?> late = new FutureTask<>(sync::await, null);
      new Thread(late, "late").start();
      await(() -> begun.get() == 1);
      hours.set(20);
      append(log);
      FutureTask<?> later = new FutureTask<>(sync::await, null);
      new Thread(later, "later").start();
      mayEnd.release();
      late.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
      later.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
      assertThat(begun).as("syncs").hasValue(1);

      append(log);
      hours.set(32);
      FutureTask<?> last = new FutureTask<>(sync::await, null);
      new Thread(last, "last").start();
      await(() -> begun.get() == 2);
      append(log);
      hours.set(42);
      mayEnd.release();
      last.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
      await(() -> begun.get() == 3); // the last one took a whole period
      mayEnd.release(1_000);
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(THREAD))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private WriteAheadLog log() {
    LogSegment.Disk disk =
        file -> {
          if (isFailing.get()) {
            throw new IOException("the disk fails");
          }
          LogSegment.Disk.SYSTEM.force(file);
        };
    return new WriteAheadLog(directory, 1L << 40, List.of(), new NothingFlushed(), disk);
  }

  private static void append(WriteAheadLog log) {
    log.append(new byte[100], 100, Set.of(7));
  }
}
