/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Lets a reader see all of a write of several records, or nothing of it.
 *
 * <p>RocksDB's {@code unordered_write} gives a write its place in the order of all writes first,
 * and stores its records then, beside other writers. An iterator made in between would see some of
 * the records and, further on, others not. So a writer of several records is announced while it
 * writes, and a reader that has made its iterator waits for those announced: they are complete
 * then, and what is announced later has a later place, which the iterator does not see.
 *
 * <p>Striped by partition over all tables. Writers never wait here. Thread-safe.
 */
public final class Isolation {
  private static final int STRIPES = 1024;
  private static final int SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(STRIPES);

  private final AtomicLongArray begun = new AtomicLongArray(STRIPES);
  private final AtomicLongArray ended = new AtomicLongArray(STRIPES);
  private final OpOrder[] writers = new OpOrder[STRIPES];

  Isolation() {
    Arrays.setAll(writers, i -> new OpOrder());
  }

  private static int stripe(byte[] partition) {
    return (Arrays.hashCode(partition) * 0x9E3779B9) >>> SHIFT;
  }

  /** Announces a write to these partitions; it is complete when that is closed. */
  Announced announce(List<byte[]> partitions) {
    return new Announced(partitions);
  }

  /** What is being written. For one thread. */
  final class Announced {
    private final int[] stripes;
    private final List<OpOrder.Group> groups;

    private Announced(List<byte[]> partitions) {
      stripes = new int[partitions.size()];
      groups = new ArrayList<>(stripes.length);
      for (int i = 0; i < stripes.length; i++) {
        int stripe = stripe(partitions.get(i));
        stripes[i] = stripe;
        begun.incrementAndGet(stripe);
        groups.add(writers[stripe].start());
      }
    }

    void close() {
      for (int i = 0; i < stripes.length; i++) {
        groups.get(i).close();
        ended.incrementAndGet(stripes[i]);
      }
    }
  }

  /**
   * Waits until no write is incomplete that a view of the partition, made before, might see in
   * part.
   */
  public void awaitComplete(byte[] partition) {
    awaitComplete(stripe(partition));
  }

  /** The same for a view of all partitions. */
  public void awaitAllComplete() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      awaitComplete(stripe);
    }
  }

  private void awaitComplete(int stripe) {
    if (begunIfNoneIsRunning(stripe) < 0) {
      OpOrder.Barrier barrier = writers[stripe].newBarrier();
      barrier.issue();
      barrier.await();
    }
  }

  /** A mark of this moment, for {@link #wasQuietSince}; negative if a write is being made. */
  public long quiet(byte[] partition) {
    return begunIfNoneIsRunning(stripe(partition));
  }

  /** Whether nothing of several records was written since that mark. */
  public boolean wasQuietSince(byte[] partition, long mark) {
    return begun.get(stripe(partition)) == mark;
  }

  // What had ended before has begun before: if both are as many, none was running when the second
  // was read.
  private long begunIfNoneIsRunning(int stripe) {
    long before = ended.get(stripe);
    long now = begun.get(stripe);
    return now == before ? now : -1;
  }
}
