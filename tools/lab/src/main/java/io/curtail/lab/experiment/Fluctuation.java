/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.hooks.Medium;
import io.curtail.lab.hooks.StoragePlan;
import java.time.Duration;

/**
 * Storage as in the C3 paper: random service times, each node slow or fast by turns.
 *
 * @param slow the mean service time of a slow node
 * @param factor by which a fast one is faster
 * @param interval between draws, T in the paper
 * @param medium how reads differ from each other
 */
public record Fluctuation(Duration slow, double factor, Duration interval, Medium medium) {
  /** Reads that a node serves at once, as few as one with one disk. */
  public static final int THREADS = 4;

  /** Exponential times. */
  public Fluctuation(Duration slow, double factor, Duration interval) {
    this(slow, factor, interval, Medium.EXPONENTIAL);
  }

  /** Exponential times of this mean at all nodes and moments. */
  public static Fluctuation steady(Duration mean) {
    return new Fluctuation(mean, 1, Duration.ZERO);
  }

  /** Reads that a node serves in a second, on average over its speeds. */
  public double capacityHz() {
    return THREADS * (1 + factor) / 2 / (slow.toNanos() * 1e-9);
  }

  StoragePlan plan(long run, long seed, long startNanos) {
    return new StoragePlan(
        run, 1, seed, startNanos, slow.toNanos(), factor, interval.toNanos(), medium);
  }
}
