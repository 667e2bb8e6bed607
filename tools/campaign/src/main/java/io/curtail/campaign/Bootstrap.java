/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Intervals from resampling blocks with replacement: the bias-corrected and accelerated (BCa)
 * method of Efron, "Better Bootstrap Confidence Intervals", Journal of the American Statistical
 * Association 82, 1987. The same data and seed give the same interval.
 */
public final class Bootstrap {
  private static final int RESAMPLES = 4_000;
  private static final double TAIL = 0.025;

  private Bootstrap() {}

  /** The interval of a statistic of which every row is one independent observation. */
  public static Interval interval(
      double[][] rows, ToDoubleFunction<double[][]> statistic, long seed) {
    double estimate = statistic.applyAsDouble(rows);
    if (rows.length < 2 || Double.isNaN(estimate)) {
      return new Interval(estimate, Double.NaN, Double.NaN, rows.length);
    }
    double[] resampled = resample(rows, statistic, seed);
    if (resampled.length == 0) {
      return new Interval(estimate, Double.NaN, Double.NaN, rows.length);
    }
    double bias = Normal.quantile(shareBelow(resampled, estimate));
    double acceleration = acceleration(rows, statistic);
    return new Interval(
        estimate,
        quantile(resampled, adjusted(TAIL, bias, acceleration)),
        quantile(resampled, adjusted(1 - TAIL, bias, acceleration)),
        rows.length);
  }

  /**
   * The geometric mean of numbers divided by others, block by block. Where a block has a zero it
   * has no such mean, and to leave the block out would favour whom it speaks against: then it is
   * the sum of the numbers divided by that of the others. There is none if a number is missing.
   *
   * @param of 0 or above, NaN if missing
   * @param by as many, of the same blocks
   */
  public static Interval ratio(double[] of, double[] by, long seed) {
    double[][] rows =
        IntStream.range(0, of.length)
            .mapToObj(i -> new double[] {of[i], by[i]})
            .toArray(double[][]::new);
    if (rows.length == 0 || !Arrays.stream(rows).allMatch(row -> isNumber(row[0] + row[1]))) {
      return new Interval(Double.NaN, Double.NaN, Double.NaN, 0);
    }
    if (Arrays.stream(rows).anyMatch(row -> row[0] == 0 || row[1] == 0)) {
      return ratioOfSums(rows, seed);
    }
    Interval mean =
        mean(Arrays.stream(rows).mapToDouble(row -> Math.log(row[0] / row[1])).toArray(), seed);
    return new Interval(
        Math.exp(mean.estimate()), Math.exp(mean.low()), Math.exp(mean.high()), mean.samples());
  }

  private static boolean isNumber(double value) {
    return Double.isFinite(value) && value >= 0;
  }

  /** The sum of what stands first in the rows divided by that of what stands second. */
  public static Interval ratioOfSums(double[][] rows, long seed) {
    return interval(rows, sample -> sum(sample, 0) / sum(sample, 1), seed);
  }

  /** The sum over a column. */
  public static double sum(double[][] rows, int column) {
    return Arrays.stream(rows).mapToDouble(row -> row[column]).sum();
  }

  /** The mean of one observation a row. */
  static Interval mean(double[] values, long seed) {
    double[][] rows =
        Arrays.stream(values).mapToObj(v -> new double[] {v}).toArray(double[][]::new);
    return interval(
        rows, sample -> Arrays.stream(sample).mapToDouble(row -> row[0]).average().orElse(0), seed);
  }

  private static double[] resample(
      double[][] rows, ToDoubleFunction<double[][]> statistic, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[RESAMPLES];
    double[][] sample = new double[rows.length][];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int row = 0; row < rows.length; row++) {
        sample[row] = rows[random.nextInt(rows.length)];
      }
      values[i] = statistic.applyAsDouble(sample);
    }
    double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
    Arrays.sort(finite);
    return finite;
  }

  /** Ties count half, and the share stays inside 0..1 so that its quantile is finite. */
  private static double shareBelow(double[] sorted, double estimate) {
    double below = 0;
    for (double value : sorted) {
      below += value < estimate ? 1 : value == estimate ? 0.5 : 0;
    }
    double smallest = 1.0 / sorted.length;
    return Math.max(smallest, Math.min(1 - smallest, below / sorted.length));
  }

  /** From the skewness of the statistic when one row at a time is left out. */
  private static double acceleration(double[][] rows, ToDoubleFunction<double[][]> statistic) {
    double[] without = new double[rows.length];
    for (int out = 0; out < rows.length; out++) {
      double[][] rest = new double[rows.length - 1][];
      System.arraycopy(rows, 0, rest, 0, out);
      System.arraycopy(rows, out + 1, rest, out, rows.length - 1 - out);
      without[out] = statistic.applyAsDouble(rest);
    }
    double mean = Arrays.stream(without).average().orElse(0);
    double squares = 0;
    double cubes = 0;
    for (double value : without) {
      double difference = mean - value;
      squares += difference * difference;
      cubes += difference * difference * difference;
    }
    double acceleration = cubes / (6 * Math.pow(squares, 1.5));
    return Double.isFinite(acceleration) ? acceleration : 0;
  }

  private static double adjusted(double tail, double bias, double acceleration) {
    double shifted = bias + Normal.quantile(tail);
    return Normal.cumulative(bias + shifted / (1 - acceleration * shifted));
  }

  private static double quantile(double[] sorted, double share) {
    double position = share * (sorted.length - 1);
    int index = (int) Math.max(0, Math.min(sorted.length - 1, Math.floor(position)));
    int next = Math.min(sorted.length - 1, index + 1);
    return sorted[index] + (position - index) * (sorted[next] - sorted[index]);
  }
}
