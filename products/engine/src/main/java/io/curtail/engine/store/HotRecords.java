/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.cassandra.utils.MurmurHash;

/**
 * Finds records that are written again and again. A write only adds a fragment, and a reader merges
 * all that are in write buffers: thousands, if one row takes much of the load.
 *
 * <p>A table of counters, each for the record that comes most often of those that share it (as
 * Misra and Gries, "Finding repeated elements", 1982): others count it down, and the next takes its
 * place. So records that come now and then are not found, which would have to be read from the
 * disk. A counter may be wrong when threads meet. Thread-safe.
 */
public final class HotRecords {
  /** Fragments of a record before one is made of them. */
  public static final int MOST_FRAGMENTS = 16;

  private static final int SLOT_BITS = 14;
  private static final int COUNT_MASK = (1 << SLOT_BITS) - 1;

  private final AtomicIntegerArray slots = new AtomicIntegerArray(1 << SLOT_BITS);

  /**
   * Counts a fragment of a record; true if it is time to make one of those that it has.
   *
   * @param table a hash of the table
   */
  public boolean add(int table, byte[] key) {
    long hash = MurmurHash.hash2_64(ByteBuffer.wrap(key), 0, key.length, table);
    int slot = (int) (hash >>> (Long.SIZE - SLOT_BITS));
    int owner = (int) hash << SLOT_BITS;
    int word = slots.getPlain(slot);
    int count = word & COUNT_MASK;
    if ((word & ~COUNT_MASK) != owner || count == 0) {
      slots.lazySet(slot, count > 1 ? word - 1 : owner | 1);
      return false;
    }
    boolean isDue = count + 1 >= MOST_FRAGMENTS;
    slots.lazySet(slot, isDue ? owner : word + 1);
    return isDue;
  }
}
