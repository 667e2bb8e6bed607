/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.fault;

import io.curtail.campaign.process.DeadMansSwitch;
import io.curtail.campaign.process.ProcessIdentity;
import io.curtail.lab.cluster.LabNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stops a node's process and lets it go on, again and again: what a long garbage collection, a
 * frozen virtual machine or a stuck disk looks like from outside. SIGSTOP and SIGCONT.
 */
public final class StopAndContinue implements Fault {

  /**
   * When the node stood still, by {@link System#nanoTime()}. A pause that goes on ends at {@link
   * Long#MAX_VALUE}.
   */
  public record Pause(long startNanos, long endNanos) {}

  private final ProcessIdentity process;
  private final Duration stopped;
  private final Duration running;
  private final DeadMansSwitch deadMansSwitch;
  private final FaultThread thread;
  private final List<Pause> intervals = new CopyOnWriteArrayList<>();

  private StopAndContinue(LabNode node, Duration stopped, Duration running) throws IOException {
    this.process = ProcessIdentity.of(node.pid());
    this.stopped = stopped;
    this.running = running;
    this.deadMansSwitch = new DeadMansSwitch();
    deadMansSwitch.add(process.shellCommandToSignal("CONT"));
    thread = FaultThread.start("pause-node-" + node.index(), this::cycle);
  }

  /**
   * Stops the node at once, for {@code stopped}; then lets it run for {@code running}, and so on.
   */
  public static StopAndContinue start(LabNode node, Duration stopped, Duration running)
      throws IOException {
    return new StopAndContinue(node, stopped, running);
  }

  private void cycle(FaultThread own) throws IOException, InterruptedException {
    boolean goOn = true;
    while (goOn && process.isAlive()) {
      process.signal("STOP");
      long start = System.nanoTime();
      intervals.add(new Pause(start, Long.MAX_VALUE));
      goOn = !own.isClosedWithin(stopped);
      process.signal("CONT");
      intervals.set(intervals.size() - 1, new Pause(start, System.nanoTime()));
      goOn = goOn && !own.isClosedWithin(running);
    }
  }

  /** The pauses so far, the one that goes on included. */
  public List<Pause> intervals() {
    return List.copyOf(intervals);
  }

  @Override
  public void close() throws IOException {
    try {
      thread.close();
    } finally {
      process.signal("CONT");
      deadMansSwitch.close();
    }
  }
}
