/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.math.BigInteger;
import org.HdrHistogram.Histogram;

/** One cell of an experiment, under one policy, with one seed. */
record CellRun(Experiment experiment, SimulatedScenario cell, SimulatedPolicy policy, long seed) {
  /** What a run leaves: numbers, the whole distribution, and samples over time. */
  record Outcome(Result result, Histogram latencyMicros, Samples samples) {}

  Outcome simulate() {
    Simulation simulation = new Simulation(cell, policy, seed);
    simulation.run();
    Measured measured = simulation.measured;
    double total = 0;
    double hottest = 0;
    for (Server server : simulation.servers) {
      total += server.busyNanos;
      hottest = Math.max(hottest, server.busyNanos);
    }
    Result result =
        new Result(
            experiment.name(),
            experiment.parameters(cell),
            policy.name(),
            seed,
            measured.latencyMicros.getTotalCount(),
            measured.meanMillis(),
            measured.percentileMillis(50),
            measured.percentileMillis(95),
            measured.percentileMillis(99),
            measured.percentileMillis(99.9),
            measured.percentileMillis(100),
            measured.extraWork(),
            measured.completed / (simulation.loop.nowNanos() * 1e-9),
            hottest * simulation.servers.length / total,
            (double) simulation.network.messages / Math.max(1, measured.completed),
            simulation.samples.swing(),
            measured.lost,
            hexadecimal(simulation.loop.traceHash()));
    return new Outcome(result, measured.latencyMicros, simulation.samples);
  }

  private static String hexadecimal(long bits) {
    return String.format("%016x", new BigInteger(Long.toUnsignedString(bits)));
  }
}
