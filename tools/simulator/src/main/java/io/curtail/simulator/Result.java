/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import java.util.Map;

/**
 * What one run measured: one object of {@code results.json}.
 *
 * @param cell the parameters by name
 * @param requests reads whose latency was counted, those of the warm-up excluded
 * @param extraWork the servers' work beyond one service for each answer needed, as a share of it
 * @param hottestServerLoad the busiest server's work, as a multiple of the average one's
 * @param messagesPerRead everything sent between clients and servers, by completed reads
 * @param swing how much the first server's load swings: the standard deviation of the reads it
 *     served in each 20 ms, as a multiple of their mean
 * @param lost reads that no replica was left for
 * @param trace a hash of everything that happened, in hexadecimal
 */
public record Result(
    String experiment,
    Map<String, Object> cell,
    String policy,
    long seed,
    long requests,
    double meanMillis,
    double p50Millis,
    double p95Millis,
    double p99Millis,
    double p999Millis,
    double maxMillis,
    double extraWork,
    double throughputPerSecond,
    double hottestServerLoad,
    double messagesPerRead,
    double swing,
    long lost,
    String trace) {
  /**
   * @throws IllegalArgumentException if it does not say of which run it is, as in a file of another
   *     kind
   */
  public Result {
    if (experiment == null || cell == null || policy == null || trace == null) {
      throw new IllegalArgumentException("it does not say of which run it is");
    }
  }
}
