/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.report.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Runs on all cores, and keeps what is finished: the results are written every second, so that
 * neither a later failure nor an interruption loses any.
 */
public final class Campaign {
  private static final long WRITE_EVERY_NANOS = 1_000_000_000L;

  /**
   * Where a campaign stands.
   *
   * @param done finished runs
   * @param secondsLeft an estimate from the runs so far
   */
  public record Progress(int done, int total, double secondsLeft) {}

  /**
   * What is kept of a run; the distribution and the samples of the first seed only, for figures.
   */
  record Kept(Result result, Distribution distribution, Samples samples) {}

  private record Indexed(int index, Run.Outcome outcome) {}

  private final List<Run> runs;
  private final Path folder;
  private final boolean histograms;
  private final Kept[] kept;
  private final List<String> failures = new ArrayList<>();
  private long writtenAtNanos;

  /**
   * @param folder where results go, created if need be
   * @param histograms whether each run's distribution is written, as an HdrHistogram log
   * @throws IllegalArgumentException if nothing can be written there, or a cell's reads would all
   *     arrive in its warm-up
   */
  public Campaign(
      List<Experiment> experiments,
      List<String> policies,
      int seeds,
      Path folder,
      boolean histograms) {
    this.runs = runs(experiments, policies, seeds);
    this.kept = new Kept[runs.size()];
    this.folder = folder;
    this.histograms = histograms;
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, "writable", null));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot write into " + folder + ": " + e.getMessage(), e);
    }
  }

  private static List<Run> runs(List<Experiment> experiments, List<String> policies, int seeds) {
    if (seeds < 1) {
      throw new IllegalArgumentException("there must be at least one seed, not " + seeds);
    }
    List<Run> runs = new ArrayList<>();
    for (Experiment experiment : experiments) {
      List<String> names = policies.isEmpty() ? experiment.policies() : policies;
      for (Scenario cell : experiment.cells()) {
        cell.requireReadsThatCount();
        for (String name : names) {
          for (int seed = 1; seed <= seeds; seed++) {
            runs.add(new Run(experiment, cell, SimulatedPolicy.named(name), seed));
          }
        }
      }
    }
    return runs;
  }

  /** Returns how many runs there are. */
  public int size() {
    return runs.size();
  }

  /** Runs everything; an interrupted thread stops after the runs that are finished. */
  public void run(Consumer<Progress> progress) {
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), Campaign::daemon);
    CompletionService<Indexed> completed = new ExecutorCompletionService<>(threads);
    for (int i = 0; i < runs.size(); i++) {
      completed.submit(attempt(i));
    }
    long start = System.nanoTime();
    try {
      for (int done = 1; done <= runs.size(); done++) {
        try {
          add(completed.take().get());
        } catch (ExecutionException e) {
          addFailure(e.getCause().getMessage());
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        progress.accept(new Progress(done, runs.size(), seconds / done * (runs.size() - done)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdownNow();
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "simulation");
    thread.setDaemon(true);
    return thread;
  }

  private Callable<Indexed> attempt(int index) {
    Run run = runs.get(index);
    return () -> {
      try {
        return new Indexed(index, run.simulate());
      } catch (RuntimeException | OutOfMemoryError e) {
        throw new IllegalStateException(
            run.experiment().parameters(run.cell())
                + " under "
                + run.policy().name()
                + ", seed "
                + run.seed()
                + ": "
                + e,
            e);
      }
    };
  }

  private synchronized void add(Indexed indexed) {
    Run.Outcome outcome = indexed.outcome();
    boolean drawn = outcome.result().seed() == 1;
    kept[indexed.index()] =
        new Kept(
            outcome.result(),
            drawn ? Distribution.of(outcome.latencyMicros()) : null,
            drawn ? outcome.samples() : null);
    try {
      if (histograms) {
        Path file = folder.resolve("run-" + (indexed.index() + 1) + ".hlog");
        Distribution.writeLog(file, outcome.result(), outcome.latencyMicros());
      }
      if (writtenAtNanos == 0 || System.nanoTime() - writtenAtNanos > WRITE_EVERY_NANOS) {
        writeResults();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void addFailure(String message) {
    failures.add(message);
  }

  /** Writes {@code results.json}: all of it or nothing. Called again it writes what came since. */
  public synchronized void writeResults() throws IOException {
    Path next = folder.resolve("results.json.next");
    Json.write(next, results());
    Files.move(
        next,
        folder.resolve("results.json"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
    writtenAtNanos = System.nanoTime();
  }

  /** Returns what is finished, in the order of experiments, cells, policies and seeds. */
  public synchronized List<Result> results() {
    return kept().stream().map(Kept::result).toList();
  }

  synchronized List<Kept> kept() {
    return Arrays.stream(kept).filter(Objects::nonNull).toList();
  }

  /** Returns one line for each run that failed. */
  public synchronized List<String> failures() {
    return List.copyOf(failures);
  }
}
