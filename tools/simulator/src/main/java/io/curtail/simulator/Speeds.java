/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.RandomSource;

/** Every interval each server picks slow or fast, each with probability 1/2. */
final class Speeds implements Actor {
  private final Simulation simulation;
  private final RandomSource random;
  private long interval;

  Speeds(Simulation simulation, long seed) {
    this.simulation = simulation;
    this.random = RandomSource.stream(seed, 4);
  }

  void start() {
    pick();
  }

  @Override
  public void on(int event, Object subject) {
    if (!simulation.isOver()) {
      pick();
    }
  }

  private boolean draw(Server server) {
    return simulation.script == null
        ? (random.nextLong() & 1) == 0
        : simulation.script.isFast(server.number, interval);
  }

  private void pick() {
    SimulatedScenario scenario = simulation.scenario;
    double slow = scenario.serviceMillis * 1e6;
    double fast = slow / scenario.speedFactor;
    for (Server server : simulation.servers) {
      boolean isFast = scenario.intervalMillis == 0 || draw(server);
      server.speed(isFast ? fast : slow);
    }
    interval++;
    if (scenario.intervalMillis > 0) {
      simulation.loop.after((long) (scenario.intervalMillis * 1e6), this, 0, null);
    }
  }
}
