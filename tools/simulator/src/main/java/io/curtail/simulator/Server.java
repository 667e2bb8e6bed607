/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Feedback;
import io.curtail.selection.RandomSource;
import io.curtail.selection.passing.PassingRule;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** A server: one queue, some slots, a speed that changes. */
final class Server implements Actor {
  static final int ARRIVAL = 1;
  static final int SERVED = 2;
  static final int CLAIM = 3;
  static final int PROBE = 4;
  static final int PURGE = 5;

  private static final double AVERAGED_SERVICES = 16;

  private final Simulation simulation;
  final int number;
  final int zone;
  private final ArrayDeque<Copy> queue = new ArrayDeque<>();
  private final ArrayDeque<Copy> waitingLast = new ArrayDeque<>();
  private final Set<Long> claims = new HashSet<>();
  private final PassingRule passing;
  private int active;
  private int claimedInQueue;
  private double meanServiceNanos;
  private double averageServiceNanos;
  private boolean up = true;
  private boolean paused;
  private long pausedAtNanos;
  private final Set<Copy> inService = new LinkedHashSet<>();
  private boolean failing;
  private double slowdown = 1;
  private double addedNanos;
  private double debtNanos;
  private int onTheWay;
  long served;
  long servedNanos;
  double busyNanos;

  Server(Simulation simulation, int number, int zone) {
    this.simulation = simulation;
    this.number = number;
    this.zone = zone;
    this.passing = new PassingRule(simulation.passingSettings);
  }

  void speed(double serviceNanos) {
    meanServiceNanos = serviceNanos;
    if (averageServiceNanos == 0) {
      averageServiceNanos = serviceNanos;
    }
  }

  void slowdown(double factor) {
    slowdown = factor;
  }

  /** What each read takes beside its service time. */
  void added(double nanos) {
    addedNanos = nanos;
  }

  void failing(boolean nowFailing) {
    failing = nowFailing;
  }

  void up(boolean nowUp) {
    up = nowUp;
  }

  boolean isUp() {
    return up;
  }

  void pause(boolean nowPaused) {
    if (nowPaused == paused) {
      return;
    }
    paused = nowPaused;
    long now = simulation.loop.nowNanos();
    if (paused) {
      pausedAtNanos = now;
      return;
    }
    for (Copy copy : inService) {
      copy.dueNanos += now - pausedAtNanos;
      simulation.loop.after(copy.dueNanos - now, this, SERVED, copy);
    }
    serveWaiting();
  }

  /** Returns the reads here, waiting and being served, claimed ones excluded. */
  int load() {
    return waiting() + waitingLast.size() + active;
  }

  /** Returns the reads in the queue, those excluded that wait behind all others. */
  int waiting() {
    return queue.size() - claimedInQueue;
  }

  int onTheWay() {
    return onTheWay;
  }

  double meanServiceNanos() {
    return meanServiceNanos * slowdown + addedNanos;
  }

  void expect() {
    onTheWay++;
  }

  @Override
  public void on(int event, Object subject) {
    switch (event) {
      case ARRIVAL -> arrive((Copy) subject);
      case SERVED -> served((Copy) subject);
      case CLAIM -> claim((Read) subject);
      case PURGE -> purge((Copy) subject);
      case PROBE -> {
        pay();
        simulation.network.answerProbe(this, (Client) subject, feedback(averageServiceNanos));
      }
      default -> throw new AssertionError("event " + event);
    }
  }

  private void pay() {
    double cost = simulation.scenario.messageCostMicros * 1e3;
    debtNanos += cost;
    simulation.measured.messageCost(cost);
  }

  private void arrive(Copy copy) {
    onTheWay--;
    if (failing || !up) {
      copy.failed = true;
      simulation.network.answer(copy);
      return;
    }
    if (claims.remove(copy.read.number)) {
      copy.state = Copy.State.DROPPED;
      pay();
      return;
    }
    if (active < simulation.scenario.slots && !paused) {
      start(copy);
    } else if (copy.ifBusy == Copy.IfBusy.DROPPED
        || (copy.ifBusy == Copy.IfBusy.DROPPED_BEHIND_OTHERS && waiting() > 0)) {
      copy.state = Copy.State.DROPPED;
      pay();
    } else if (copy.ifBusy == Copy.IfBusy.WAITS_LAST || copy.ifBusy == Copy.IfBusy.MAKES_WAY) {
      copy.state = Copy.State.WAITING;
      waitingLast.add(copy);
    } else if (!takesPlace(copy) && !goesOn(copy)) {
      copy.state = Copy.State.WAITING;
      queue.add(copy);
      if (copy.sibling != null && !copy.tied) {
        copy.tied = true;
        pay();
        simulation.network.notice(copy, feedback(averageServiceNanos));
      }
    }
  }

  /** Returns whether a copy in service made way for this one. */
  private boolean takesPlace(Copy copy) {
    if (paused || simulation.copying != Copying.ALL_INTERRUPTIBLE) {
      return false;
    }
    for (Copy other : inService) {
      if (other.ifBusy == Copy.IfBusy.MAKES_WAY) {
        interrupt(other);
        other.state = Copy.State.WAITING;
        waitingLast.addFirst(other);
        start(copy);
        return true;
      }
    }
    return false;
  }

  private void interrupt(Copy copy) {
    long nowNanos = paused ? pausedAtNanos : simulation.loop.nowNanos();
    copy.leftNanos = Math.max(1, copy.dueNanos - nowNanos);
    inService.remove(copy);
    active--;
  }

  /** Returns whether the copy leaves for another replica. A paused server decides nothing. */
  private boolean goesOn(Copy copy) {
    if (copy.route == null || paused) {
      return false;
    }
    int next =
        passing.decide(
            copy.route,
            copy.read.place(this, copy.route),
            waiting(),
            simulation.scenario.slots,
            averageServiceNanos,
            simulation.loop.nowNanos());
    if (next == PassingRule.ACCEPT) {
      return false;
    }
    copy.state = Copy.State.DROPPED;
    pay();
    Server server = (Server) copy.route.replica(next);
    if (simulation.secondChance == SecondChance.RETURNED) {
      simulation.network.giveBack(copy, server, feedback(averageServiceNanos));
    } else {
      simulation.network.passOn(copy, server);
    }
    return true;
  }

  private void claim(Read read) {
    pay();
    for (Copy copy = read.first; copy != null; copy = copy.nextOfRead) {
      if (copy.server == this) {
        takeBack(copy);
      }
    }
  }

  private void takeBack(Copy copy) {
    if (copy.state == Copy.State.WAITING) {
      copy.state = Copy.State.DROPPED;
      claimedInQueue += waitingLast.remove(copy) ? 0 : 1;
    } else if (copy.state == Copy.State.ON_THE_WAY) {
      claims.add(copy.read.number);
    }
  }

  private void purge(Copy copy) {
    pay();
    if (simulation.copying == Copying.ALL_INTERRUPTIBLE && inService.contains(copy)) {
      interrupt(copy);
      copy.state = Copy.State.DROPPED;
      busyNanos -= copy.leftNanos;
      simulation.measured.purged(copy);
      serveWaiting();
    } else {
      takeBack(copy);
    }
  }

  private void start(Copy copy) {
    active++;
    copy.state = Copy.State.STARTED;
    if (copy.leftNanos == 0) {
      double unit = serviceFactor(copy.read) * copy.read.size * copy.cost;
      copy.leftNanos = unit * (meanServiceNanos * slowdown) + addedNanos;
      copy.serviceNanos = (long) copy.leftNanos;
      simulation.measured.service(copy, copy.leftNanos);
      busyNanos += copy.leftNanos;
    }
    long work = (long) (copy.leftNanos + debtNanos);
    copy.dueNanos = simulation.loop.nowNanos() + work;
    inService.add(copy);
    simulation.loop.after(work, this, SERVED, copy);
    debtNanos = 0;
    if (copy.tied) {
      simulation.network.claim(copy);
    }
  }

  private double serviceFactor(Read read) {
    if (simulation.script != null) {
      return simulation.script.serviceUnit((int) read.number, number);
    }
    RandomSource random = RandomSource.stream(simulation.serviceSeed + read.number, number);
    return simulation.scenario.sizes.serviceFactor(random);
  }

  private void served(Copy copy) {
    if (paused || copy.dueNanos > simulation.loop.nowNanos() || !inService.remove(copy)) {
      return; // a pause moved its end, or it made way
    }
    active--;
    served++;
    servedNanos += copy.serviceNanos;
    averageServiceNanos += (copy.serviceNanos - averageServiceNanos) / AVERAGED_SERVICES;
    serveWaiting();
    copy.feedback = feedback((double) copy.serviceNanos);
    simulation.network.answer(copy);
  }

  private void serveWaiting() {
    while (active < simulation.scenario.slots && !paused) {
      Copy next = queue.isEmpty() ? waitingLast.poll() : queue.remove();
      if (next == null) {
        return;
      }
      if (next.state == Copy.State.DROPPED) {
        claimedInQueue--;
      } else {
        start(next);
      }
    }
  }

  /** Returns what this server says of itself now. */
  Feedback feedback(double serviceNanos) {
    return new Feedback(waiting(), active, simulation.scenario.slots, (long) serviceNanos);
  }
}
