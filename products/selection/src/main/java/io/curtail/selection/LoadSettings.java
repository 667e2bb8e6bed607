/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/** How a {@link ReplicaLoad} averages what it sees. Immutable. */
public final class LoadSettings {
  /** The paper's system: a new sample weighs 0.9, whenever it comes. */
  public static final LoadSettings PAPER = perSample(0.9);

  private static final long DEFAULT_FAILURE_MEMORY_NANOS = 1_000_000_000L;

  final double newSampleWeight;
  final long averagingNanos;
  final long failureMemoryNanos;
  final long peakMemoryNanos;
  final int reservoirSize;

  private LoadSettings(
      double newSampleWeight,
      long averagingNanos,
      long failureMemoryNanos,
      long peakMemoryNanos,
      int reservoirSize) {
    this.newSampleWeight = newSampleWeight;
    this.averagingNanos = averagingNanos;
    this.failureMemoryNanos = failureMemoryNanos;
    this.peakMemoryNanos = peakMemoryNanos;
    this.reservoirSize = reservoirSize;
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
    return new LoadSettings(newSampleWeight, 0, DEFAULT_FAILURE_MEMORY_NANOS, 0, 0);
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
    return new LoadSettings(0, averagingNanos, DEFAULT_FAILURE_MEMORY_NANOS, 0, 0);
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
    return new LoadSettings(newSampleWeight, averagingNanos, nanos, peakMemoryNanos, reservoirSize);
  }

  /** Also keeps a reservoir of response times, as Cassandra's dynamic snitch does; 0 for none. */
  public LoadSettings withReservoir(int size) {
    if (size < 0) {
      throw new IllegalArgumentException("the size of a reservoir must not be negative");
    }
    return new LoadSettings(
        newSampleWeight, averagingNanos, failureMemoryNanos, peakMemoryNanos, size);
  }

  /**
   * Also keeps a response time that jumps to a peak at once and falls back over the given time, as
   * Finagle does; 0 for none.
   */
  public LoadSettings withPeak(long memoryNanos) {
    if (memoryNanos < 0) {
      throw new IllegalArgumentException("the memory of a peak must not be negative");
    }
    return new LoadSettings(
        newSampleWeight, averagingNanos, failureMemoryNanos, memoryNanos, reservoirSize);
  }
}
