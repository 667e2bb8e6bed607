/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import static io.curtail.waiting.Waiting.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;

/** Long work on a table that stands still at one of its steps for as long as a test wants. */
final class HeldWork implements AutoCloseable {
  private static final long MOST_SECONDS = PATIENCE.toSeconds();

  final FutureTask<Long> work;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicInteger left;

  /**
   * Returns when the work stands still.
   *
   * @param steps at which of its steps, from 1
   * @param work which runs what it is given with each step
   */
  HeldWork(int steps, ToLongFunction<Runnable> work) throws InterruptedException {
    left = new AtomicInteger(steps);
    this.work = new FutureTask<>(() -> work.applyAsLong(this::step));
    new Thread(this.work, "held").start();
    assertThat(begun.await(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private void step() {
    if (left.decrementAndGet() <= 0) {
      begun.countDown();
      Uninterruptibles.awaitUninterruptibly(mayEnd);
    }
  }

  /** Lets it go on to a good end. */
  void ends() throws Exception {
    mayEnd.countDown();
    assertThat(work.get(MOST_SECONDS, TimeUnit.SECONDS)).isPositive();
  }

  /** Lets it go on, and fail. */
  void fails(String why) {
    mayEnd.countDown();
    assertThatThrownBy(() -> work.get(MOST_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasStackTraceContaining(why);
  }

  @Override
  public void close() {
    mayEnd.countDown();
  }
}
