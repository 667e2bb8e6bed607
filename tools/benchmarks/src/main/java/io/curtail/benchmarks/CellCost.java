/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks;

import io.curtail.campaign.Median;
import java.util.List;
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

  /** Of several runs of a cell: the median of their medians and bytes, the extremes of all. */
  public static CellCost ofRuns(List<CellCost> runs) {
    return new CellCost(
        Median.of(runs.stream().mapToDouble(CellCost::cpuNanos).toArray()),
        runs.stream().mapToDouble(CellCost::cpuNanosLowest).min().orElseThrow(),
        runs.stream().mapToDouble(CellCost::cpuNanosHighest).max().orElseThrow(),
        Median.of(runs.stream().mapToDouble(CellCost::bytes).toArray()));
  }

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
    return new CellCost(Median.of(cpu), cpu[0], cpu[cpu.length - 1], bytes);
  }
}
