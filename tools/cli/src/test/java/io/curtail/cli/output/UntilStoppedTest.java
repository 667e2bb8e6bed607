/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.curtail.campaign.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class UntilStoppedTest {
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  private UntilStopped until(Duration patience) {
    return new UntilStopped(
        patience, Progress.NONE, isStopped -> ends.add(isStopped ? "stopped" : "by itself"));
  }

  private Thread run(UntilStopped until, UntilStopped.Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                until.run(
                    () -> {
                      begun.countDown();
                      work.run();
                    });
              } catch (IOException | RuntimeException e) {
                ends.add(e.getMessage());
              }
            });
    thread.start();
    return thread;
  }

  /** No interrupt ends it. */
  private void hang() {
    boolean wasInterrupted = false;
    while (released.getCount() > 0) {
      try {
        released.await();
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    assertThat(wasInterrupted).isTrue();
  }

  @Test
  void should_end_once_when_work_hangs_that_is_stopped() throws Exception {
    UntilStopped until = until(Duration.ofNanos(1));
    Thread worker = run(until, this::hang);
    begun.await();
    until.stop(worker);
    assertThat(ends).containsExactly("stopped");
    released.countDown();
    worker.join();
    assertThat(ends).containsExactly("stopped");
  }

  @Test
  void should_end_when_work_does_that_is_interrupted_and_take_its_error_for_that()
      throws Exception {
    UntilStopped until = until(Duration.ofDays(1));
    Thread worker =
        run(
            until,
            () -> {
              try {
                released.await();
              } catch (InterruptedException e) {
                throw new IOException("interrupted: umount", e);
              }
            });
    begun.await();
    until.stop(worker);
    worker.join();
    assertThat(ends).containsExactly("stopped");
  }

  @Test
  void should_end_in_the_midst_of_work_that_is_left_alone() throws Exception {
    UntilStopped until = until(Duration.ZERO);
    Thread worker = run(until, () -> assertThat(releasedWithoutInterrupt()).isTrue());
    begun.await();
    until.stop(worker);
    assertThat(ends).containsExactly("stopped");
    released.countDown();
    worker.join();
    assertThat(ends).containsExactly("stopped");
  }

  private boolean releasedWithoutInterrupt() {
    try {
      released.await();
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void should_end_and_tell_the_error_when_work_fails_by_itself() {
    UntilStopped until = until(Duration.ofDays(1));
    assertThatThrownBy(
            () ->
                until.run(
                    () -> {
                      throw new IllegalStateException("no node");
                    }))
        .hasMessage("no node");
    assertThat(ends).containsExactly("by itself");
    until.stop(Thread.currentThread());
    assertThat(Thread.interrupted()).isFalse();
    assertThat(ends).containsExactly("by itself");
  }
}
