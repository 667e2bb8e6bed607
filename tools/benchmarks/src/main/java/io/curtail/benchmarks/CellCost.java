/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks;

import org.openjdk.jmh.results.RunResult;

/**
 * What JMH measured of an operation that counts with {@link ThreadCpu}, under the allocation
 * profiler.
 *
 * @param cpuNanos processor time of one thread, the median over iterations
 * @param cpuNanosLowest the lowest iteration
 * @param cpuNanosHighest the highest iteration
 * @param bytes allocated
 */
public record CellCost(
    double cpuNanos, double cpuNanosLowest, double cpuNanosHighest, double bytes) {
  private static final String ALLOCATION = "gc.alloc.rate.norm";

  /**
   * Reads a result.
   *
   * @throws IllegalStateException if the allocation profiler was not on
   */
  public static CellCost of(RunResult result) {
    double[] cpu =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .mapToDouble(i -> i.getSecondaryResults().get("cpuNanos").getScore())
            .map(sum -> sum / result.getParams().getThreads())
            .sorted()
            .toArray();
    String allocation =
        result.getSecondaryResults().keySet().stream()
            .filter(key -> key.endsWith(ALLOCATION))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("JMH gave no allocation figure"));
    double bytes = result.getSecondaryResults().get(allocation).getScore();
    return new CellCost(cpu[cpu.length / 2], cpu[0], cpu[cpu.length - 1], bytes);
  }
}
