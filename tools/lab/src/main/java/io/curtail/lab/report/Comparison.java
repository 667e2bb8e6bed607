/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.report;

import io.curtail.campaign.Bootstrap;
import io.curtail.campaign.Interval;
import io.curtail.lab.experiment.ConditionResult;
import io.curtail.lab.experiment.Run;
import io.curtail.lab.load.LoadResult;
import java.util.Arrays;
import java.util.List;

/**
 * Divides arms by the reference, block by block, so that what all runs of a block share cancels.
 */
final class Comparison {
  private final ConditionResult result;
  private final long seed;

  Comparison(ConditionResult result, long seed) {
    this.result = result;
    this.seed = seed;
  }

  /** The geometric mean over the blocks of the arm's metric divided by the reference's. */
  Interval ratio(Metric metric, String arm) {
    List<Integer> blocks = result.blocks();
    double[][] rows = new double[blocks.size()][];
    for (int i = 0; i < rows.length; i++) {
      double of = metric.of(result.run(arm, blocks.get(i)));
      double by = metric.of(result.run(result.reference(), blocks.get(i)));
      rows[i] = new double[] {Math.log(of / by)};
    }
    return Bootstrap.interval(
        rows,
        sample -> Math.exp(Arrays.stream(sample).mapToDouble(row -> row[0]).average().orElse(0)),
        seed);
  }

  /** The share of the arm's requests that took longer than so many microseconds. */
  Interval shareSlowerThan(long micros, String arm) {
    return Bootstrap.interval(slowAndAll(micros, arm), Comparison::share, seed);
  }

  /** The arm's share divided by the reference's; NaN if the reference has none. */
  Interval ratioOfSharesSlowerThan(long micros, String arm) {
    double[][] of = slowAndAll(micros, arm);
    double[][] by = slowAndAll(micros, result.reference());
    double[][] rows = new double[of.length][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {of[i][0], of[i][1], by[i][0], by[i][1]};
    }
    return Bootstrap.interval(
        rows, sample -> share(sample) / share(sum(sample, 2), sum(sample, 3)), seed);
  }

  private double[][] slowAndAll(long micros, String arm) {
    return result.runs(arm).stream()
        .map(Run::result)
        .map(run -> new double[] {run.slowerThan(micros), run.requests()})
        .toArray(double[][]::new);
  }

  /** How many requests took longer, over all runs of the arm. */
  long slowerThan(long micros, String arm) {
    return result.runs(arm).stream().mapToLong(run -> run.result().slowerThan(micros)).sum();
  }

  long requests(String arm) {
    return result.runs(arm).stream().map(Run::result).mapToLong(LoadResult::requests).sum();
  }

  /** The mean over the runs. */
  double requestsPerSecond(String arm) {
    return result.runs(arm).stream()
        .mapToDouble(run -> run.result().requestsPerSecond())
        .average()
        .orElse(0);
  }

  /** The mean over the runs of what the nodes' processors spend on a request. */
  double nodeCpuMillis(String arm) {
    return result.runs(arm).stream().mapToDouble(Run::nodeCpuMillis).average().orElse(0);
  }

  long errors(String arm) {
    return result.runs(arm).stream()
        .flatMap(run -> run.result().errors().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  private static double share(double[][] sample) {
    return share(sum(sample, 0), sum(sample, 1));
  }

  private static double share(double slow, double all) {
    return slow / all;
  }

  private static double sum(double[][] sample, int column) {
    return Arrays.stream(sample).mapToDouble(row -> row[column]).sum();
  }
}
