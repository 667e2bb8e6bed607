/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import java.io.IOException;

/**
 * Something long that measures, on real nodes or simulated ones, and tells whether it was stopped:
 * by an interrupt, or by what went wrong.
 */
public abstract class StoppableRun {
  /** Told what the run does. */
  protected final Progress progress;

  private volatile boolean stopped;

  /** The progress is told when an interrupt stops the run, too. */
  protected StoppableRun(Progress progress) {
    this.progress = progress;
  }

  /**
   * Measures everything.
   *
   * @throws InterruptedException if it is to stop; what it started it has stopped
   */
  protected abstract void measure() throws IOException, InterruptedException;

  /**
   * Runs to the end. When its thread is interrupted it stops what it started and returns; what was
   * finished is in {@link #report()}.
   *
   * @throws IllegalStateException if a node does not start or a request fails that must not
   */
  public final void run() throws IOException {
    stopped = true;
    try {
      measure();
      stopped = false;
    } catch (InterruptedException e) {
      progress.report("interrupted: what was finished is reported");
    }
  }

  /** Returns what is finished so far. */
  public abstract Report report();

  /** Returns whether the last run did not come to its end. */
  protected final boolean isStopped() {
    return stopped;
  }
}
