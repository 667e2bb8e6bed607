/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.table;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The partitions of a table that were written since a copy of it was begun: a move to Cassandra's
 * data files writes only these if the copy is whole. Thread-safe.
 */
public final class ChangedPartitions {
  /** How many are kept: about 40 MB of heap, with keys of common length. */
  public static final int MOST = 200_000;

  private final int most;

  private final ConcurrentSkipListSet<byte[]> partitions =
      new ConcurrentSkipListSet<>(Arrays::compareUnsigned);

  private final AtomicInteger count = new AtomicInteger();
  private volatile long partitionBytes;
  private volatile boolean isWhole;

  /**
   * @param most of them that are kept, at least 2
   * @throws IllegalArgumentException if it is less
   */
  public ChangedPartitions(int most) {
    if (most < 2) {
      throw new IllegalArgumentException("no room for changes: " + most);
    }
    this.most = most;
  }

  /** Comes before the write, and in its order group. */
  public void add(byte[] partition) {
    if (!isFull() && partitions.add(partition)) {
      count.incrementAndGet();
    }
  }

  /** There were more than are kept, so that the copy is of no use. */
  public boolean isFull() {
    return count.get() >= most;
  }

  /** There are so many that a copy that goes on must take them before there are too many. */
  public boolean isHalfFull() {
    return count.get() >= most / 2;
  }

  /** How many there are, up to the most that are kept. */
  public int count() {
    return count.get();
  }

  /**
   * All that was there when this began is in data files that the table has.
   *
   * @param partitionBytes what the copy had of a partition, on average
   */
  public void copied(long partitionBytes) {
    this.partitionBytes = partitionBytes;
    isWhole = true;
  }

  /** About what they would take in a data file; zero while it is not known. */
  public long bytes() {
    return count() * partitionBytes;
  }

  /** Whether these and the copy are all of the table. */
  public boolean areAllBesideTheCopy() {
    return isWhole && !isFull();
  }

  /** Those from one bound, which counts, to another, which does not; null for none. */
  public Collection<byte[]> between(byte[] from, byte[] to) {
    if (from == null) {
      return to == null ? partitions : partitions.headSet(to, false);
    }
    return to == null ? partitions.tailSet(from, true) : partitions.subSet(from, true, to, false);
  }
}
