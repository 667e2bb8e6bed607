/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import io.curtail.lab.cluster.LabNode;
import io.curtail.lab.fault.StopAndContinue;
import java.io.IOException;
import java.time.Duration;

/** A strike on its way: in a thread of its own, while something is done to the cluster. */
final class Blow {
  private static final Duration FOR_LONG = Duration.ofDays(1);
  private static final int POLL_MILLIS = 20;

  private final Thread thread;
  private volatile boolean isLate;
  private volatile Exception failure;

  private Blow(Nodes nodes, Step.Strike strike) throws IOException {
    NewLogLines streaming =
        strike.streaming() == 0 ? null : new NewLogLines(nodes.node(strike.streaming()).logFile());
    thread = new Thread(() -> strike(nodes.node(strike.node()), strike, streaming), "strike");
    thread.setDaemon(true);
  }

  static Blow start(Nodes nodes, Step.Strike strike) throws IOException {
    Blow blow = new Blow(nodes, strike);
    blow.thread.start();
    return blow;
  }

  private void strike(LabNode node, Step.Strike strike, NewLogLines streaming) {
    try {
      while (streaming != null && !streaming.tellOfStreams()) {
        if (isLate) {
          return;
        }
        Thread.sleep(POLL_MILLIS);
      }
      Thread.sleep(strike.afterMillis());
      if (!node.isAlive()) {
        return; // the step has killed it
      }
      if (strike.kills()) {
        node.kill();
      } else {
        pause(node, strike.pauseMillis());
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes a node stand still for so long. */
  static void pause(LabNode node, long millis) throws IOException, InterruptedException {
    StopAndContinue pause = StopAndContinue.start(node, Duration.ofMillis(millis), FOR_LONG);
    try {
      Thread.sleep(millis);
    } finally {
      pause.close();
    }
  }

  /**
   * Returns when it is over; a node that was killed is dead still. What waits for streams that have
   * not begun does not strike any more.
   */
  void end() throws InterruptedException {
    isLate = true;
    thread.join();
    if (failure != null) {
      throw new IllegalStateException("a strike failed", failure);
    }
  }
}
