/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clock and looks are the test's. */
class FilesAwaitedTest {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private long now = Long.MAX_VALUE - 5; // may pass the end of numbers
  private final FilesAwaited files = new FilesAwaited(() -> now);

  @Test
  void should_await_nobody_when_nobody_has_read() {
    assertThat(files.areAny()).isFalse();
  }

  @Test
  void should_await_who_reads_however_long_it_takes() {
    files.begin();
    now += TimeUnit.HOURS.toNanos(1);
    assertThat(files.areAny()).isTrue();
  }

  @Test
  void should_give_a_second_of_looks_when_one_has_read() {
    readRocks();
    assertThat(waitedNanos()).isEqualTo(FilesAwaited.GRACE_NANOS);
  }

  @Test
  void should_give_the_second_when_the_process_has_stood_still_meanwhile() {
    readRocks();
    now += TimeUnit.SECONDS.toNanos(7);
    assertThat(files.areAny()).isTrue();
    assertThat(waitedNanos()).isGreaterThan(FilesAwaited.GRACE_NANOS / 2);
  }

  @Test
  void should_await_nobody_when_it_is_long_ago() {
    readRocks();
    now += TimeUnit.HOURS.toNanos(1);
    assertThat(files.areAny()).isFalse();
  }

  @Test
  void should_begin_anew_when_the_next_has_read() {
    readRocks();
    now += LOOK_NANOS;
    waitedNanos();
    readRocks();
    assertThat(waitedNanos()).isEqualTo(FilesAwaited.GRACE_NANOS);
  }

  private void readRocks() {
    files.begin();
    files.end();
  }

  /** As one that looks all the time. */
  private long waitedNanos() {
    long start = now;
    while (files.areAny()) {
      now += LOOK_NANOS;
    }
    return now - start;
  }
}
