/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the cells of a benchmark with JMH, each in a JVM of its own, under the allocation profiler.
 */
public final class Cells {
  /** The JVMs of a cell: one, or none for a test, which does not look at what is measured. */
  public static final String FORKS = "curtail.bench.forks";

  private static final long START_MILLIS = 1_500;

  private final Class<?> benchmark;
  private final int warmUps;
  private final int iterations;
  private final TimeValue iteration;

  /**
   * @param iterationMillis how long an iteration is; a cell has as many as warm it up and as are
   *     measured
   */
  public Cells(Class<?> benchmark, int warmUps, int iterations, long iterationMillis) {
    this.benchmark = benchmark;
    this.warmUps = warmUps;
    this.iterations = iterations;
    this.iteration = new TimeValue(iterationMillis, TimeUnit.MILLISECONDS);
  }

  /** How long so many cells take, about. */
  public long seconds(long cells) {
    long millis = (warmUps + iterations) * iteration.convertTo(TimeUnit.MILLISECONDS);
    return cells * (millis + START_MILLIS) / 1_000;
  }

  /**
   * Runs a cell for each combination of the parameters, one after the other.
   *
   * @param operation the method of the benchmark
   * @param read makes the caller's result of JMH's
   * @throws IllegalStateException if a benchmark fails
   */
  public <T> List<T> run(
      String operation,
      int threads,
      Map<String, List<String>> parameters,
      Function<RunResult, T> read) {
    var options =
        new OptionsBuilder()
            .include(benchmark.getName() + "\\." + operation + "$")
            .threads(threads)
            .forks(Integer.getInteger(FORKS, 1))
            .warmupIterations(warmUps)
            .warmupTime(iteration)
            .measurementIterations(iterations)
            .measurementTime(iteration)
            .jvmArgs(
                "-Xms512m",
                "-Xmx512m",
                "-XX:+UseG1GC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true);
    parameters.forEach((name, values) -> options.param(name, values.toArray(new String[0])));
    try {
      return new Runner(options.build()).run().stream().map(read).toList();
    } catch (RunnerException e) {
      throw new IllegalStateException("the benchmark failed: " + e.getMessage(), e);
    }
  }
}
