/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.selection;

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

/** Runs {@link SelectionBenchmark} over all its cells, each in a JVM of its own. */
public final class SelectionCosts {
  private static final int WARM_UPS = 4;
  private static final int ITERATIONS = 7;
  private static final String ANY_POLICY = "curtail";

  private final String[] policies;
  private final TimeValue iteration;

  /**
   * @param policies to rank and record for
   * @param iterationMillis how long an iteration is; there are 11 a cell
   */
  public SelectionCosts(List<String> policies, long iterationMillis) {
    this.policies = policies.toArray(new String[0]);
    this.iteration = new TimeValue(iterationMillis, TimeUnit.MILLISECONDS);
  }

  /** How long {@link #run} takes, about. */
  public long seconds() {
    long cells = 1 + 2L * policies.length;
    long millis = iteration.convertTo(TimeUnit.MILLISECONDS);
    return cells * ((WARM_UPS + ITERATIONS) * millis + 1_000) / 1_000;
  }

  /**
   * Runs all cells, one after the other.
   *
   * @param progress told what runs next
   * @throws IllegalStateException if a benchmark fails
   */
  public List<SelectionCost> run(Consumer<String> progress) {
    List<SelectionCost> costs = new ArrayList<>();
    progress.accept("a plain sort of three doubles");
    costs.addAll(run("sort", ANY_POLICY));
    progress.accept("ranking three replicas");
    costs.addAll(run("rank", policies));
    progress.accept("recording a response");
    costs.addAll(run("record", policies));
    return costs;
  }

  private List<SelectionCost> run(String operation, String... names) {
    var options =
        new OptionsBuilder()
            .include(SelectionBenchmark.class.getName() + "\\." + operation + "$")
            .param("policy", names)
            .threads(1)
            .forks(1)
            .warmupIterations(WARM_UPS)
            .warmupTime(iteration)
            .measurementIterations(ITERATIONS)
            .measurementTime(iteration)
            .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+UseG1GC")
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

  private static SelectionCost cost(RunResult result, String operation) {
    CellCost cost = CellCost.of(result);
    return new SelectionCost(
        operation,
        result.getParams().getParam("policy"),
        cost.cpuNanos(),
        cost.cpuNanosLowest(),
        cost.cpuNanosHighest(),
        cost.bytes());
  }
}
