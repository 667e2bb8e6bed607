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

  private static final double AVERAGED_SERVICES = 16;

  private final Simulation simulation;
  final int number;
  final int zone;
  private final ArrayDeque<Copy> queue = new ArrayDeque<>();
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
    return queue.size() - claimedInQueue + active;
  }

  int waiting() {
    return queue.size() - claimedInQueue;
  }

  int onTheWay() {
    return onTheWay;
  }

  double meanServiceNanos() {
    return meanServiceNanos * slowdown;
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
    } else if (copy.hedge) {
      copy.state = Copy.State.DROPPED;
      pay();
    } else if (!goesOn(copy)) {
      copy.state = Copy.State.WAITING;
      queue.add(copy);
      if (copy.sibling != null && !copy.tied) {
        copy.tied = true;
        pay();
        simulation.network.notice(copy, feedback(averageServiceNanos));
      }
    }
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
        if (copy.state == Copy.State.WAITING) {
          copy.state = Copy.State.DROPPED;
          claimedInQueue++;
        } else if (copy.state == Copy.State.ON_THE_WAY) {
          claims.add(read.number);
        }
      }
    }
  }

  private void start(Copy copy) {
    active++;
    copy.state = Copy.State.STARTED;
    double unit = serviceFactor(copy.read) * copy.read.size * copy.cost;
    double service = unit * meanServiceNanos();
    copy.serviceNanos = (long) service;
    simulation.measured.service(copy, service);
    busyNanos += service;
    copy.dueNanos = simulation.loop.nowNanos() + (long) (service + debtNanos);
    inService.add(copy);
    simulation.loop.after((long) (service + debtNanos), this, SERVED, copy);
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
    if (paused || copy.dueNanos > simulation.loop.nowNanos()) {
      return; // a pause moved its end
    }
    inService.remove(copy);
    active--;
    served++;
    servedNanos += copy.serviceNanos;
    averageServiceNanos += (copy.serviceNanos - averageServiceNanos) / AVERAGED_SERVICES;
    serveWaiting();
    copy.feedback = feedback((double) copy.serviceNanos);
    simulation.network.answer(copy);
  }

  private void serveWaiting() {
    while (active < simulation.scenario.slots && !queue.isEmpty() && !paused) {
      Copy next = queue.remove();
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
