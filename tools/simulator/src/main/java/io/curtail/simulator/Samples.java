/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What is looked at every 20 ms of simulated time: the first server, where faults happen, and the
 * first client's view of it. At most {@value #MOST} samples.
 */
final class Samples {
  static final int MOST = 500;
  static final double PERIOD_MILLIS = 20;

  private final List<Sample> all = new ArrayList<>();
  private long servedBefore;

  /**
   * What was seen at one moment.
   *
   * @param served reads a second, by the first server, since the moment before
   * @param queue of the first server
   * @param longestQueue of all servers
   * @param rate the first client's limit to the first server, NaN without rate control
   * @param score that the first client gives the first server, in milliseconds
   */
  record Sample(
      double second, double served, double queue, double longestQueue, double rate, double score) {}

  /** Looks now, and again later. Apart from what it writes, so that samples outlive the run. */
  record Sampler(Simulation simulation, Samples samples) implements Actor {
    void start() {
      simulation.loop.after((long) (PERIOD_MILLIS * 1e6), this, 0, null);
    }

    @Override
    public void on(int event, Object subject) {
      samples.add(simulation);
      if (samples.all.size() < MOST && !simulation.isOver()) {
        start();
      }
    }
  }

  private void add(Simulation simulation) {
    Server first = simulation.servers[0];
    ServerLoad load = simulation.clients[0].load(0);
    all.add(
        new Sample(
            simulation.loop.nowNanos() * 1e-9,
            (first.served - servedBefore) / (PERIOD_MILLIS * 1e-3),
            first.waiting(),
            Arrays.stream(simulation.servers).mapToInt(Server::waiting).max().orElse(0),
            load.rateControl == null ? Double.NaN : load.rateControl.limit(),
            simulation.clients[0].scoreOfFirstServerMillis()));
    servedBefore = first.served;
  }

  /** Returns what was seen of one thing, in the order of time. */
  double[] overTime(ToDoubleFunction<Sample> of) {
    return all.stream().mapToDouble(of).toArray();
  }

  /** Returns how much the first server's load swings: its standard deviation over its mean. */
  double swing() {
    double[] served = overTime(Sample::served);
    double mean = Arrays.stream(served).average().orElse(Double.NaN);
    double square = Arrays.stream(served).map(x -> (x - mean) * (x - mean)).sum();
    return Math.sqrt(square / served.length) / mean;
  }
}
