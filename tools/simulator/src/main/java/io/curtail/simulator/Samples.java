/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.util.Arrays;

/**
 * What is looked at every 20 ms of simulated time: the first server, where faults happen, and the
 * first client's view of it. At most {@value #MOST} samples.
 */
final class Samples {
  static final int MOST = 500;
  static final double PERIOD_MILLIS = 20;

  private int size;
  private long servedBefore;
  private final double[] seconds = new double[MOST];
  private final double[] served = new double[MOST];
  private final double[] queue = new double[MOST];
  private final double[] longestQueue = new double[MOST];
  private final double[] rate = new double[MOST];
  private final double[] score = new double[MOST];

  /** Looks now, and again later. Apart from what it writes, so that samples outlive the run. */
  record Sampler(Simulation simulation, Samples samples) implements Actor {
    void start() {
      simulation.loop.after((long) (PERIOD_MILLIS * 1e6), this, 0, null);
    }

    @Override
    public void on(int event, Object subject) {
      samples.add(simulation);
      if (samples.size < MOST && !simulation.isOver()) {
        start();
      }
    }
  }

  private void add(Simulation simulation) {
    Server first = simulation.servers[0];
    seconds[size] = simulation.loop.nowNanos() * 1e-9;
    served[size] = (first.served - servedBefore) / (PERIOD_MILLIS * 1e-3);
    servedBefore = first.served;
    queue[size] = first.waiting();
    for (Server server : simulation.servers) {
      longestQueue[size] = Math.max(longestQueue[size], server.waiting());
    }
    ServerLoad load = simulation.clients[0].load(0);
    rate[size] = load.rateControl == null ? Double.NaN : load.rateControl.limit();
    score[size] = simulation.clients[0].scoreOfFirstServerMillis();
    size++;
  }

  double[] seconds() {
    return Arrays.copyOf(seconds, size);
  }

  /** Returns the reads a second that the first server served. */
  double[] served() {
    return Arrays.copyOf(served, size);
  }

  double[] queue() {
    return Arrays.copyOf(queue, size);
  }

  double[] longestQueue() {
    return Arrays.copyOf(longestQueue, size);
  }

  /** Returns the first client's limit to the first server, NaN without rate control. */
  double[] rate() {
    return Arrays.copyOf(rate, size);
  }

  double[] score() {
    return Arrays.copyOf(score, size);
  }

  /** Returns how much the first server's load swings: its standard deviation over its mean. */
  double swing() {
    double mean = Arrays.stream(served, 0, size).average().orElse(Double.NaN);
    double square = Arrays.stream(served, 0, size).map(x -> (x - mean) * (x - mean)).sum();
    return Math.sqrt(square / size) / mean;
  }
}
