/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.hedging.ReadTail;
import io.curtail.selection.hedging.SecondCopyRule;

/** One client's second copies of slow reads. A server without a free slot drops them. */
final class SimulatedSecondCopies implements ExtraCopies, Actor {
  private final Simulation simulation;
  private final Client client;
  private final SecondCopyRule rule;
  private final ReadTail tail;

  SimulatedSecondCopies(Simulation simulation, Client client) {
    this.simulation = simulation;
    this.client = client;
    SimulatedScenario scenario = simulation.scenario;
    this.rule =
        new SecondCopyRule(scenario.hedgeShare, scenario.hedgeWorkShare, scenario.hedgeBusyShare);
    this.tail = rule.newTail();
  }

  @Override
  public void onSent(Read read) {
    long delay = tail.delayNanos();
    if (delay >= 0) {
      simulation.loop.after(delay, this, 0, read);
    }
  }

  @Override
  public void onDone(Read read) {
    tail.onRead(read.slow, simulation.loop.nowNanos() - read.begunNanos);
  }

  // Of two answers the second copy's work is the extra one.
  @Override
  public void onAnswer(Copy copy, long elapsedNanos) {
    if (copy.feedback != null) {
      rule.onQueue(copy.feedback.waiting());
    }
    long work = copy.feedback == null ? elapsedNanos : copy.feedback.serviceTimeNanos();
    if (copy.ifBusy == Copy.IfBusy.DROPPED) {
      copy.read.hedgeWorkNanos = work;
    }
    if (copy.read.done) {
      rule.onExtraWork(copy.read.hedgeWorkNanos);
    } else {
      rule.onWork(work);
    }
  }

  @Override
  public void on(int event, Object subject) {
    Read read = (Read) subject;
    if (read.done) {
      return;
    }
    read.slow = true;
    if (read.copyTries.next(rule, tail)) {
      Copy copy = client.sendToBest(read);
      if (copy != null) {
        copy.ifBusy = Copy.IfBusy.DROPPED;
      }
    }
    long again = read.copyTries.againNanos(tail);
    if (again >= 0) {
      simulation.loop.after(again, this, 0, read);
    }
  }
}
