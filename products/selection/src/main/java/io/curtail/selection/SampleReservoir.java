/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.Arrays;

/**
 * A sample of response times in whole units that favours recent ones, and one of their quantiles as
 * of the last tick: what Cassandra's dynamic snitch knows of a node.
 *
 * <p>A sample that comes t whole seconds after the start has the weight {@code w = exp(alpha t)}
 * and the priority {@code w / u}, u uniform in (0, 1]; the samples with the highest priorities
 * stay. Forward decay: Cormode, Shkapenyuk, Srivastava, Xu, "Forward Decay", ICDE 2009; alpha is
 * 0.75 per second in Cassandra 5.0. The quantile is the weighted one: where samples are few, those
 * of the last seconds decide, however many older ones there are. So do {@code
 * ExponentiallyDecayingReservoir} and {@code WeightedSnapshot} of metrics-core 4.2.28, which
 * Cassandra 5.0.9 comes with. Weights and priorities are kept as logarithms, so they never
 * overflow.
 *
 * <p>Locks: a rival's cost, not Curtail's.
 */
final class SampleReservoir implements ReplicaMemory {
  private static final double ALPHA_PER_SECOND = 0.75;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long TICK_NANOS = 100_000_000L;
  private static final long RESET_TICKS = 6_000;

  private final double quantile;
  private final long unitNanos;
  private final double[] priorities;
  private final int[] units;
  private final double[] logWeights;
  private final RandomSource random = RandomSource.seeded(0);
  private int size;
  private long scoredTick = Long.MIN_VALUE;
  private long resetEpoch;
  private double score;

  /**
   * @param capacity how many samples are kept
   * @param quantile that is the score, in (0, 1): 0.5 for the median
   * @param unitNanos to whole multiples of which samples are cut off
   */
  SampleReservoir(int capacity, double quantile, long unitNanos) {
    this.quantile = quantile;
    this.unitNanos = unitNanos;
    priorities = new double[capacity];
    units = new int[capacity];
    logWeights = new double[capacity];
  }

  @Override
  public synchronized void onResponse(long elapsedNanos, long nowNanos) {
    score(nowNanos);
    double draw = 1 - random.nextDouble();
    double logWeight = ALPHA_PER_SECOND * Math.floorDiv(nowNanos, SECOND_NANOS);
    double priority = logWeight - Math.log(draw);
    int place = size < units.length ? size++ : leastPriority();
    if (priorities[place] < priority || place == size - 1) {
      priorities[place] = priority;
      logWeights[place] = logWeight;
      units[place] = (int) Math.min(Integer.MAX_VALUE, elapsedNanos / unitNanos);
    }
  }

  private int leastPriority() {
    int least = 0;
    for (int i = 1; i < size; i++) {
      if (priorities[i] < priorities[least]) {
        least = i;
      }
    }
    return least;
  }

  /**
   * Returns the quantile, in units, as of the last 100 ms tick; 0 if there was no sample by then.
   */
  synchronized double units(long nowNanos) {
    score(nowNanos);
    return score;
  }

  // Lazily, but with the samples that were there at the tick: the first sample after it comes here
  // before it is added.
  private void score(long nowNanos) {
    long tick = Math.floorDiv(nowNanos, TICK_NANOS);
    if (tick == scoredTick) {
      return;
    }
    scoredTick = tick;
    long epoch = Math.floorDiv(tick, RESET_TICKS);
    if (epoch != resetEpoch) {
      resetEpoch = epoch;
      size = 0;
    }
    score = size == 0 ? 0 : weightedQuantile();
  }

  // The value up to which, itself excluded, at most the quantile of the weight lies.
  private int weightedQuantile() {
    long[] byValue = new long[size];
    double newest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      byValue[i] = (long) units[i] << Integer.SIZE | i;
      newest = Math.max(newest, logWeights[i]);
    }
    Arrays.sort(byValue);
    double[] below = new double[size + 1];
    for (int rank = 0; rank < size; rank++) {
      below[rank + 1] = below[rank] + Math.exp(logWeights[(int) byValue[rank]] - newest);
    }
    int rank = 0;
    while (rank + 1 < size && below[rank + 1] <= below[size] * quantile) {
      rank++;
    }
    return (int) (byValue[rank] >> Integer.SIZE);
  }
}
