/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

/** What goes wrong, and when it is over. */
final class Faults implements Actor {
  private static final int BEGIN = 0;
  private static final int END = 1;
  private static final int WARM_UP_STEP = 2;
  private static final int WARM_UP_STEPS = 20;

  private final Simulation simulation;
  private int warmUpSteps;

  Faults(Simulation simulation) {
    this.simulation = simulation;
  }

  void start() {
    SimulatedScenario scenario = simulation.scenario;
    if (scenario.coldServer >= 0) {
      simulation.servers[scenario.coldServer].up(false);
    }
    simulation.loop.after(nanos(scenario.faultAtMillis), this, BEGIN, null);
  }

  private static long nanos(double millis) {
    return (long) (millis * 1e6);
  }

  @Override
  public void on(int event, Object subject) {
    if (event == WARM_UP_STEP) {
      warmUp();
      return;
    }
    SimulatedScenario scenario = simulation.scenario;
    boolean begins = event == BEGIN;
    if (scenario.slowServer >= 0) {
      simulation.servers[scenario.slowServer].slowdown(begins ? scenario.slowFactor : 1);
    }
    for (Server server : simulation.servers) {
      server.added(begins ? scenario.addedMillis * 1e6 : 0);
    }
    if (scenario.pausedServer >= 0) {
      simulation.servers[scenario.pausedServer].pause(begins);
    }
    if (scenario.failingServer >= 0) {
      simulation.servers[scenario.failingServer].failing(begins);
    }
    if (scenario.leavingServer >= 0 && begins) {
      simulation.servers[scenario.leavingServer].up(false);
    }
    if (scenario.coldServer >= 0 && begins) {
      simulation.servers[scenario.coldServer].up(true);
      warmUp();
    }
    if (begins && scenario.faultMillis > 0) {
      simulation.loop.after(nanos(scenario.faultMillis), this, END, null);
    }
  }

  private void warmUp() {
    SimulatedScenario scenario = simulation.scenario;
    double left = 1 - (double) warmUpSteps / WARM_UP_STEPS;
    simulation.servers[scenario.coldServer].slowdown(1 + (scenario.slowFactor - 1) * left);
    if (warmUpSteps++ < WARM_UP_STEPS) {
      long step = nanos(scenario.faultMillis / WARM_UP_STEPS);
      simulation.loop.after(step, this, WARM_UP_STEP, null);
    }
  }
}
