/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.hooks;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * How a node's storage behaves in a run: its reads take times as of a {@link Medium}, whose mean is
 * drawn anew in each interval, slow or fast, with probability 1/2. Everything follows from the
 * seed, so that runs of several arms have the same speeds, and the n-th read of a key at a node
 * takes the same in each of them. Immutable.
 */
public final class StoragePlan {
  static final int BYTES = 8 * Long.BYTES;

  private final long run;
  private final int node;
  private final long seed;
  private final long startNanos;
  private final long slowNanos;
  private final double factor;
  private final long intervalNanos;
  private final Medium medium;

  /**
   * @param run of this number, above 0
   * @param node from 1
   * @param startNanos of the first interval, on {@link System#nanoTime}'s clock, which the
   *     processes of a Linux machine share
   * @param slowNanos mean of a slow node
   * @param factor by which a fast one is faster
   * @param intervalNanos between draws; 0 for always fast
   * @param medium how reads differ from each other
   */
  public StoragePlan(
      long run,
      int node,
      long seed,
      long startNanos,
      long slowNanos,
      double factor,
      long intervalNanos,
      Medium medium) {
    this.run = run;
    this.node = node;
    this.seed = seed;
    this.startNanos = startNanos;
    this.slowNanos = slowNanos;
    this.factor = factor;
    this.intervalNanos = intervalNanos;
    this.medium = medium;
  }

  /** The same for another node. */
  public StoragePlan ofNode(int other) {
    return new StoragePlan(run, other, seed, startNanos, slowNanos, factor, intervalNanos, medium);
  }

  public long run() {
    return run;
  }

  public int node() {
    return node;
  }

  public long startNanos() {
    return startNanos;
  }

  /** Reads what {@link #rest} wrote; null if there is no run. */
  static StoragePlan read(ByteBuffer bytes) {
    long run = bytes.getLong(0);
    return run == 0
        ? null
        : new StoragePlan(
            run,
            (int) bytes.getLong(8),
            bytes.getLong(16),
            bytes.getLong(24),
            bytes.getLong(32),
            bytes.getDouble(40),
            bytes.getLong(48),
            Medium.of(bytes.getLong(56)));
  }

  /** All but the run's number, which is to be written last. */
  public ByteBuffer rest() {
    return ByteBuffer.allocate(BYTES - Long.BYTES)
        .putLong(node)
        .putLong(seed)
        .putLong(startNanos)
        .putLong(slowNanos)
        .putDouble(factor)
        .putLong(intervalNanos)
        .putLong(medium.code)
        .flip();
  }

  /** The interval, from 0, at a time; what comes before the first has the first one's speed. */
  public long interval(long nowNanos) {
    return intervalNanos == 0 ? 0 : Math.max(0, (nowNanos - startNanos) / intervalNanos);
  }

  /** Whether the node is fast in an interval. */
  public boolean isFast(long interval) {
    return intervalNanos == 0 || (mix(mix(mix(seed) + node) + interval) & 1) == 0;
  }

  /** The mean service time in an interval. */
  public double meanNanos(long interval) {
    return isFast(interval) ? slowNanos / factor : slowNanos;
  }

  /** What a read takes, as a multiple of the mean. */
  public double unit(long keyHash, int occurrence) {
    long read = mix(mix(mix(mix(seed) - node) + keyHash) + occurrence);
    return medium.unit(draw(read), draw(mix(read)), draw(mix(mix(seed) + keyHash)));
  }

  /** In [0, 1). */
  private static double draw(long bits) {
    return (bits >>> 11) * 0x1p-53;
  }

  /** Of a partition key as it is stored. */
  public static long hash(ByteBuffer key) {
    long hash = 0;
    for (int i = key.position(); i < key.limit(); i++) {
      hash = 31 * hash + key.get(i);
    }
    return mix(hash);
  }

  /** Stafford's thirteenth variant of the finalizer of MurmurHash3. */
  private static long mix(long x) {
    long bits = x + 0x9E3779B97F4A7C15L;
    bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }

  @Override
  public String toString() {
    return String.format(
        "run %d of node %d: %s, %d ms, times 1/%s, every %d ms",
        run,
        node,
        medium,
        TimeUnit.NANOSECONDS.toMillis(slowNanos),
        factor,
        TimeUnit.NANOSECONDS.toMillis(intervalNanos));
  }
}
