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
 *
 * <p>To join the fragments of a record writes all of it once more. So those of a large one, such as
 * a collection of many elements, must first be a part of it, or about one for each KiB that it has:
 * then a write costs a few times its own bytes, or at most a KiB more, and a reader little more
 * than for the record itself.
 */
public final class HotRecords {
  /** Fragments of a record before one is made of them. */
  public static final int MOST_FRAGMENTS = 16;

  /** Of a record that may be written anew for so few fragments, in bytes. */
  private static final int SMALL = 16 << 10;

  /** Which part of a larger record its fragments must be. */
  private static final int PART = 4;

  /** Or how many fragments it may have besides those that its size allows: small ones of a blob. */
  private static final int MOST_OF_LARGE = 4 * MOST_FRAGMENTS;

  /** For each of which a larger record may have one more. */
  private static final int BYTES_A_FRAGMENT = 1 << 10;

  /** Fragments after which a record is looked at again: it may be smaller than it was. */
  private static final int LOOK_AGAIN = 512;

  private static final int SLOT_BITS = 14;
  private static final int COUNT_MASK = (1 << SLOT_BITS) - 1;

  private final AtomicIntegerArray slots = new AtomicIntegerArray(1 << SLOT_BITS);

  /** The bytes of a record's fragments that were not joined yet, as far as they were counted. */
  private final AtomicIntegerArray added = new AtomicIntegerArray(1 << SLOT_BITS);

  /** How many those are. */
  private final AtomicIntegerArray fragments = new AtomicIntegerArray(1 << SLOT_BITS);

  /** How large a record was when it was read last; zero if that is not known. */
  private final AtomicIntegerArray sizes = new AtomicIntegerArray(1 << SLOT_BITS);

  /**
   * Counts a fragment of a record; true if it may be time to make one of those that it has.
   *
   * @param table a hash of the table
   * @param bytes of the fragment
   */
  public boolean add(int table, byte[] key, int bytes) {
    long hash = hash(table, key);
    int slot = slot(hash);
    int owner = owner(hash);
    int word = slots.getPlain(slot);
    int count = word & COUNT_MASK;
    if ((word & ~COUNT_MASK) != owner) {
      if (count > 1) {
        slots.lazySet(slot, word - 1);
      } else {
        slots.lazySet(slot, owner | 1);
        added.lazySet(slot, bytes);
        fragments.lazySet(slot, 1);
        sizes.lazySet(slot, 0);
      }
      return false;
    }
    int sum = (int) Math.min(Integer.MAX_VALUE, (long) added.getPlain(slot) + bytes);
    int number = fragments.getPlain(slot) + 1;
    added.lazySet(slot, sum);
    fragments.lazySet(slot, number);
    boolean isDue =
        count + 1 >= MOST_FRAGMENTS
            && (count + 1 >= LOOK_AGAIN || isEnough(sum, number, sizes.getPlain(slot)));
    slots.lazySet(slot, isDue ? owner : owner | Math.min(count + 1, COUNT_MASK));
    return isDue;
  }

  /**
   * Whether to write a record anew as one fragment, of which {@link #add} has said that it may be
   * time.
   *
   * @param size of the record, in bytes
   */
  public boolean join(int table, byte[] key, int size) {
    long hash = hash(table, key);
    int slot = slot(hash);
    boolean isKnown = (slots.getPlain(slot) & ~COUNT_MASK) == owner(hash);
    boolean isTime =
        isKnown
            ? isEnough(added.getPlain(slot), fragments.getPlain(slot), size)
            : isEnough(0, 0, size);
    if (isKnown) {
      sizes.lazySet(slot, size);
      if (isTime) {
        added.lazySet(slot, 0);
        fragments.lazySet(slot, 0);
      }
    }
    return isTime;
  }

  private static boolean isEnough(int bytes, int number, int size) {
    return size <= SMALL
        || bytes >= size / PART
        || number >= MOST_OF_LARGE + size / BYTES_A_FRAGMENT;
  }

  private static long hash(int table, byte[] key) {
    return MurmurHash.hash2_64(ByteBuffer.wrap(key), 0, key.length, table);
  }

  private static int slot(long hash) {
    return (int) (hash >>> (Long.SIZE - SLOT_BITS));
  }

  private static int owner(long hash) {
    return (int) hash << SLOT_BITS;
  }
}
