/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import io.curtail.benchmarks.CellCost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link PlanBenchmark} over all its cells, each in a JVM of its own. */
public final class PlanCosts {
  private static final int WARM_UPS = 3;
  private static final int ITERATIONS = 5;

  private final int[] nodes;
  private final int[] threads;
  private final TimeValue iteration;

  /**
   * @param nodes in the data centre, one cell each
   * @param threads that plan at the same time, one cell each
   * @param iterationMillis how long an iteration is; there are 8 a cell
   */
  public PlanCosts(int[] nodes, int[] threads, long iterationMillis) {
    this.nodes = nodes.clone();
    this.threads = threads.clone();
    this.iteration = new TimeValue(iterationMillis, TimeUnit.MILLISECONDS);
  }

  /** How long {@link #run} takes, about. */
  public long seconds() {
    long cells = (long) threads.length * nodes.length * (3 * 2 + 3);
    return cells
        * ((WARM_UPS + ITERATIONS) * iteration.convertTo(TimeUnit.MILLISECONDS) + 1500)
        / 1000;
  }

  /**
   * Runs all cells, one after the other.
   *
   * @param progress told what runs next
   * @throws IllegalStateException if a benchmark fails
   */
  public List<PlanCost> run(Consumer<String> progress) {
    List<PlanCost> costs = new ArrayList<>();
    for (int threadCount : threads) {
      for (int nodeCount : nodes) {
        progress.accept(nodeCount + " nodes, " + threadCount + " threads");
        costs.addAll(run(nodeCount, threadCount, "plan", "true", "false"));
        costs.addAll(run(nodeCount, threadCount, "response", "true"));
      }
    }
    return costs;
  }

  private List<PlanCost> run(int nodeCount, int threadCount, String operation, String... tokens) {
    var options =
        new OptionsBuilder()
            .include(PlanBenchmark.class.getName() + "\\." + operation + "$")
            .param("nodes", Integer.toString(nodeCount))
            .param("token", tokens)
            .threads(threadCount)
            .forks(1)
            .warmupIterations(WARM_UPS)
            .warmupTime(iteration)
            .measurementIterations(ITERATIONS)
            .measurementTime(iteration)
            .jvmArgs(
                "-Xms512m",
                "-Xmx512m",
                "-XX:+UseG1GC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    try {
      return new Runner(options).run().stream().map(result -> cost(result, operation)).toList();
    } catch (RunnerException e) {
      throw new IllegalStateException("the benchmark failed: " + e.getMessage(), e);
    }
  }

  private static PlanCost cost(RunResult result, String operation) {
    CellCost cost = CellCost.of(result);
    return new PlanCost(
        operation,
        result.getParams().getParam("policy"),
        Integer.parseInt(result.getParams().getParam("nodes")),
        Boolean.parseBoolean(result.getParams().getParam("token")),
        result.getParams().getThreads(),
        cost.cpuNanos(),
        cost.cpuNanosLowest(),
        cost.cpuNanosHighest(),
        cost.bytes());
  }
}
