/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.function.Supplier;

/** How a {@link ReplicaLoad} averages what it sees. Immutable. */
public final class LoadSettings {
  /** What a new sample weighs in the paper's system, whenever it comes. */
  public static final double PAPERS_NEW_SAMPLE_WEIGHT = 0.9;

  /** What nodes average over unless they are told otherwise. */
  static final long USUAL_AVERAGING_NANOS = 50_000_000;

  /** The paper's system. */
  public static final LoadSettings PAPER = perSample(PAPERS_NEW_SAMPLE_WEIGHT);

  /**
   * How long a coordinator that is a node remembers a failure: it is forgiven within two seconds,
   * when what is 5 s at first is 0.2 ms.
   */
  public static final long COORDINATOR_FAILURE_MEMORY_NANOS = 200_000_000L;

  private static final long DEFAULT_FAILURE_MEMORY_NANOS = 1_000_000_000L;

  final double newSampleWeight;
  final long averagingNanos;
  final long failureMemoryNanos;
  final Supplier<ReplicaMemory> memory;

  private LoadSettings(
      double newSampleWeight,
      long averagingNanos,
      long failureMemoryNanos,
      Supplier<ReplicaMemory> memory) {
    this.newSampleWeight = newSampleWeight;
    this.averagingNanos = averagingNanos;
    this.failureMemoryNanos = failureMemoryNanos;
    this.memory = memory;
  }

  /**
   * Averages in which every new sample has the same weight.
   *
   * @param newSampleWeight in (0, 1]
   */
  public static LoadSettings perSample(double newSampleWeight) {
    if (!(newSampleWeight > 0 && newSampleWeight <= 1)) {
      throw new IllegalArgumentException(
          "the weight of a new sample must be in (0, 1], not " + newSampleWeight);
    }
    return new LoadSettings(
        newSampleWeight, 0, DEFAULT_FAILURE_MEMORY_NANOS, () -> ReplicaMemory.NONE);
  }

  /**
   * Averages that forget by elapsed time: a sample that comes t after the one before weighs {@code
   * 1 - exp(-t / averagingNanos)}, so that after a silence the first new sample counts in full.
   *
   * @param averagingNanos over how long to average, above 0
   */
  public static LoadSettings perElapsedTime(long averagingNanos) {
    if (averagingNanos <= 0) {
      throw new IllegalArgumentException("the averaging time must be above 0");
    }
    return new LoadSettings(
        0, averagingNanos, DEFAULT_FAILURE_MEMORY_NANOS, () -> ReplicaMemory.NONE);
  }

  /** Over how long it averages, in nanoseconds; 0 where each sample has the same weight. */
  public long averagingNanos() {
    return averagingNanos;
  }

  /**
   * The same over another time, if it averages {@link #perElapsedTime by elapsed time}; else
   * unchanged.
   *
   * @param nanos over how long to average, above 0
   */
  public LoadSettings withAveragingTime(long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException("the averaging time must be above 0");
    }
    return averagingNanos == 0
        ? this
        : new LoadSettings(newSampleWeight, nanos, failureMemoryNanos, memory);
  }

  /**
   * A failure's penalty falls to 1/e in this time.
   *
   * @param nanos above 0, by default one second
   */
  public LoadSettings withFailureMemory(long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException("the memory of a failure must be above 0");
    }
    return new LoadSettings(newSampleWeight, averagingNanos, nanos, memory);
  }

  /** Also keeps, of each replica, what a policy of its own needs. */
  LoadSettings withMemory(Supplier<ReplicaMemory> value) {
    return new LoadSettings(newSampleWeight, averagingNanos, failureMemoryNanos, value);
  }

  /** The same, but every new sample has the given weight, see {@link #perSample}. */
  public LoadSettings withNewSampleWeight(double value) {
    return perSample(value).withFailureMemory(failureMemoryNanos).withMemory(memory);
  }
}
