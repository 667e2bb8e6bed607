/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import io.curtail.campaign.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Long work that the user may stop (Ctrl-C, SIGTERM), and what is done at its end, whichever way it
 * comes to it: once, and the process does not end before.
 */
public final class UntilStopped {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final Duration patience;
  private final Progress progress;
  private final End atEnd;
  private final AtomicBoolean ending = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;

  /** What a command does. */
  public interface Work {
    /** Does it. */
    void run() throws IOException;
  }

  /** What it does at the end. */
  public interface End {
    /**
     * Does it.
     *
     * @param isStopped whether the user stopped the work
     */
    void run(boolean isStopped) throws IOException;
  }

  /**
   * @param patience how long work that is interrupted may take to end; zero for work that is left
   *     alone
   */
  UntilStopped(Duration patience, Progress progress, End atEnd) {
    this.patience = patience;
    this.progress = progress;
    this.atEnd = atEnd;
  }

  /** Runs work that stops what it has started, and ends, when its thread is interrupted. */
  static void interrupting(Progress progress, Work work, End atEnd) throws IOException {
    new UntilStopped(PATIENCE, progress, atEnd).run(work);
  }

  /**
   * Runs work that is left alone when it is stopped, and goes with the process: what is done at the
   * end sees it in its midst, and nothing that ending it would do to what it has found.
   */
  public static void leavingAlone(Work work, End atEnd) throws IOException {
    new UntilStopped(Duration.ZERO, Progress.NONE, atEnd).run(work);
  }

  void run(Work work) throws IOException {
    Thread worker = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker), "stop"));
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      if (!stopping) { // else that is how it comes to its end
        throw e;
      }
    } finally {
      end();
    }
  }

  /** Returns when what is done at the end is done; at once if it was before. */
  void stop(Thread worker) {
    stopping = true;
    if (ended.getCount() == 0) {
      return;
    }
    if (!patience.isZero()) {
      progress.report("stopping; what is finished will be written");
      worker.interrupt();
      if (await(patience)) {
        return;
      }
      progress.report("not all was stopped after " + patience.toSeconds() + " s");
    }
    try {
      end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean unused = await(PATIENCE); // if the worker is at it
  }

  private boolean await(Duration most) {
    try {
      return ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void end() throws IOException {
    if (ending.compareAndSet(false, true)) {
      try {
        atEnd.run(stopping);
      } finally {
        ended.countDown();
      }
    }
  }
}
