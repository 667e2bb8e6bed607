/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSWriteError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
