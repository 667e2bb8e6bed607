/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import org.HdrHistogram.Histogram;

/**
 * What the simulator says of a run that happened elsewhere.
 *
 * @param latencyMicros of the reads that arrived after the warm-up, from their arrival
 * @param extraWork the servers' work beyond one service a read, as a share of it
 * @param readsPerSecond reads answered, by the time from the first arrival to the last answer
 * @param lost reads that nobody answered
 */
public record Replay(Histogram latencyMicros, double extraWork, double readsPerSecond, long lost) {

  /** Whether there is a policy of this name. */
  public static boolean knows(String policy) {
    return SimulatedPolicy.all().containsKey(policy);
  }

  /**
   * Simulates the script's reads.
   *
   * @param scenario the cluster; its own load is replaced by the script's
   * @param policy a name that {@code curtail simulate list} has
   * @param seed of what the script does not say
   * @throws IllegalArgumentException if there is no such policy
   */
  public static Replay of(
      SimulatedScenario scenario, String policy, ReplayScript script, long seed) {
    SimulatedScenario scripted = scenario.with("requests", script.reads());
    Simulation simulation = new Simulation(scripted, SimulatedPolicy.named(policy), seed, script);
    simulation.run();
    Measured measured = simulation.measured;
    return new Replay(
        measured.latencyMicros,
        measured.extraWork(),
        measured.completed / (simulation.loop.nowNanos() * 1e-9),
        measured.lost);
  }
}
