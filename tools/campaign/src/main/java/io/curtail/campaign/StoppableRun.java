/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import java.io.IOException;

/** A {@link Run} that tells whether it was stopped: by an interrupt, or by what went wrong. */
public abstract class StoppableRun implements Run {
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
  @Override
  public final void run() throws IOException {
    stopped = true;
    try {
      measure();
      stopped = false;
    } catch (InterruptedException e) {
      progress.report("interrupted: what was finished is reported");
    }
  }

  /** Returns whether the last run did not come to its end. */
  protected final boolean isStopped() {
    return stopped;
  }
}
