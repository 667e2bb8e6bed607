/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.campaign.Progress;
import io.curtail.campaign.StoppableRun;
import io.curtail.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Runs on all cores, and keeps what is finished: the results are written every other second, so
 * that not even a killed process loses them.
 */
public final class ExperimentSweep extends StoppableRun {
  private static final long WRITE_EVERY_NANOS = 2_000_000_000L;

  /**
   * What is kept of a run; the distribution and the samples of the first seed only, for figures.
   */
  record Kept(Result result, Distribution distribution, Samples samples) {}

  /**
   * What is written, and where.
   *
   * @param folder is there
   * @param command that the page shows
   * @param histograms whether each run's distribution is written, as an HdrHistogram log
   */
  public record Written(Path folder, String command, boolean histograms) {}

  private final List<Experiment> experiments;
  private final List<CellRun> runs;
  private final Written output;
  private final Kept[] kept;
  private final long startNanos = System.nanoTime();
  private long writtenAtNanos = startNanos;
  private int done;
  private int failed;

  /**
   * @param policies those of each experiment if empty
   * @throws IllegalArgumentException if a cell's reads would all arrive in its warm-up
   */
  public ExperimentSweep(
      List<Experiment> experiments,
      List<String> policies,
      int seeds,
      Written output,
      Progress progress) {
    super(progress);
    this.experiments = List.copyOf(experiments);
    this.runs = runs(experiments, policies, seeds);
    this.kept = new Kept[runs.size()];
    this.output = output;
  }

  private static List<CellRun> runs(
      List<Experiment> experiments, List<String> policies, int seeds) {
    List<CellRun> runs = new ArrayList<>();
    for (Experiment experiment : experiments) {
      List<String> names = policies.isEmpty() ? experiment.policies() : policies;
      for (SimulatedScenario cell : experiment.cells()) {
        cell.requireReadsThatCount();
        for (String name : names) {
          for (int seed = 1; seed <= seeds; seed++) {
            runs.add(new CellRun(experiment, cell, SimulatedPolicy.named(name), seed));
          }
        }
      }
    }
    return runs;
  }

  @Override
  protected void measure() throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(), ExperimentSweep::daemon);
    for (int i = 0; i < runs.size(); i++) {
      int index = i;
      threads.execute(() -> attempt(index));
    }
    threads.shutdown();
    try {
      threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      stop(threads);
      throw e;
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "simulation");
    thread.setDaemon(true);
    return thread;
  }

  /** What is being kept is kept first, and nothing is after it. */
  private synchronized void stop(ExecutorService threads) {
    threads.shutdownNow();
  }

  private void attempt(int index) {
    CellRun run = runs.get(index);
    try {
      finish(index, run.simulate());
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      fail(
          "curtail: %s under %s, seed %d: %s"
              .formatted(
                  run.experiment().parameters(run.cell()), run.policy().name(), run.seed(), e));
    }
  }

  private synchronized void fail(String why) {
    done++;
    failed++;
    progress.report(why);
  }

  private synchronized void finish(int index, CellRun.Outcome outcome) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      return; // stopped
    }
    Result result = outcome.result();
    if (output.histograms()) {
      Path file = output.folder().resolve("run-" + (index + 1) + ".hlog");
      Distribution.writeLog(file, result, outcome.latencyMicros());
    }
    kept[index] =
        result.seed() == 1
            ? new Kept(result, Distribution.of(outcome.latencyMicros()), outcome.samples())
            : new Kept(result, null, null);
    done++;
    long now = System.nanoTime();
    if (now - writtenAtNanos > WRITE_EVERY_NANOS) {
      writtenAtNanos = now;
      int left = runs.size() - done;
      double secondsLeft = (now - startNanos) * 1e-9 / done * left;
      progress.report(done, runs.size(), secondsLeft, result.experiment());
      Json.write(output.folder().resolve(SweepReport.FILE), report().data());
    }
  }

  @Override
  public synchronized SweepReport report() {
    return new SweepReport(
        experiments,
        Arrays.stream(kept).filter(Objects::nonNull).toList(),
        output.command(),
        isStopped(),
        failed == 0);
  }
}
