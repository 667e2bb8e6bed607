/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.hedging.Congestion;
import io.curtail.selection.hedging.HedgeDelay;
import io.curtail.selection.hedging.WorkBudget;

/**
 * One client's second copies of slow reads. A server without a free slot drops them, so they are
 * tried again: a few times soon, while the budget allows and servers have no queues; after that the
 * first copy's server is taken to be lost, and they are tried regardless, each time after a tenth
 * longer. None ever waits in a queue: copies that do feed an overload.
 */
final class SecondCopies implements Actor {
  private static final int TRIES_PER_REPLICA = 2;
  private static final int MOST_LATE_TRIES = 70;
  private static final double LATE_GROWTH = 1.1;
  private static final long FIRST_DELAY_NANOS = 10_000_000;

  private final Simulation simulation;
  private final Client client;
  private final HedgeDelay delay;
  private final WorkBudget budget;
  private final Congestion congestion;

  SecondCopies(Simulation simulation, Client client) {
    this.simulation = simulation;
    this.client = client;
    this.delay = new HedgeDelay(simulation.scenario.hedgeShare, FIRST_DELAY_NANOS);
    this.budget = new WorkBudget(simulation.scenario.hedgeWorkShare);
    this.congestion = new Congestion(simulation.scenario.hedgeBusyShare);
  }

  /** A read was sent. */
  void onSent(Read read) {
    simulation.loop.after(delay.nanos(), this, 0, read);
  }

  /** A read has all the answers that it needs. */
  void onDone(Read read) {
    delay.onRead(read.slow);
  }

  /** A server answered. Of two answers the second copy's work is the extra one. */
  void onAnswer(Copy copy, long elapsedNanos) {
    if (copy.feedback != null) {
      congestion.onAnswer(copy.feedback.waiting());
    }
    long work = copy.feedback == null ? elapsedNanos : copy.feedback.serviceTimeNanos();
    if (copy.hedge) {
      copy.read.hedgeWorkNanos = work;
    }
    if (copy.read.done) {
      budget.onExtraWork(copy.read.hedgeWorkNanos);
    } else {
      budget.onWork(work);
    }
  }

  @Override
  public void on(int event, Object subject) {
    Read read = (Read) subject;
    if (read.done) {
      return;
    }
    read.slow = true;
    int tries = TRIES_PER_REPLICA * read.replicas.length;
    boolean lost = read.hedges >= tries;
    if (lost || (budget.allows() && !congestion.isHigh())) {
      Copy copy = client.sendToBest(read);
      if (copy == null) {
        return;
      }
      copy.hedge = true;
    }
    read.hedges++;
    int late = read.hedges - tries;
    if (late < MOST_LATE_TRIES) {
      long wait =
          late < 0 ? delay.againNanos() : (long) (delay.nanos() * Math.pow(LATE_GROWTH, late));
      simulation.loop.after(wait, this, 0, read);
    }
  }
}
