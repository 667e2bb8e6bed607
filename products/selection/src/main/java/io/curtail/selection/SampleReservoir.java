/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.Arrays;

/**
 * A sample of response times in whole milliseconds that favours recent ones, and their median as of
 * the last tick: what Cassandra's dynamic snitch knows of a node.
 *
 * <p>A sample that comes t seconds after the start has the priority {@code exp(alpha t) / u}, u
 * uniform in (0, 1]; the samples with the highest priorities stay. Forward decay: Cormode,
 * Shkapenyuk, Srivastava, Xu, "Forward Decay", ICDE 2009; alpha is 0.75 per second in Cassandra
 * 5.0. Priorities are kept as logarithms, so they never overflow.
 *
 * <p>Locks: a rival's cost, not Curtail's.
 */
final class SampleReservoir implements ReplicaMemory {
  private static final double ALPHA_PER_SECOND = 0.75;
  private static final long TICK_NANOS = 100_000_000L;
  private static final long RESET_TICKS = 6_000;

  private final double[] priorities;
  private final int[] millis;
  private final RandomSource random = RandomSource.seeded(0);
  private int size;
  private long scoredTick = Long.MIN_VALUE;
  private long resetEpoch;
  private double median;

  SampleReservoir(int capacity) {
    priorities = new double[capacity];
    millis = new int[capacity];
  }

  @Override
  public synchronized void onResponse(long elapsedNanos, long nowNanos) {
    score(nowNanos);
    double draw = 1 - random.nextDouble();
    double priority = ALPHA_PER_SECOND * nowNanos * 1e-9 - Math.log(draw);
    int place = size < millis.length ? size++ : leastPriority();
    if (priorities[place] < priority || place == size - 1) {
      priorities[place] = priority;
      millis[place] = (int) Math.min(Integer.MAX_VALUE, elapsedNanos / 1_000_000);
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

  /** Returns the median as of the last 100 ms tick; 0 if there was no sample by then. */
  synchronized double medianMillis(long nowNanos) {
    score(nowNanos);
    return median;
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
    int[] sorted = Arrays.copyOf(millis, size);
    Arrays.sort(sorted);
    median =
        size == 0
            ? 0
            : size % 2 == 1 ? sorted[size / 2] : (sorted[size / 2 - 1] + sorted[size / 2]) / 2.0;
  }
}
