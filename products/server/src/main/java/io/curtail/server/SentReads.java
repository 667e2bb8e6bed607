/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The reads that one peer has not answered: when each was sent, and that each ends exactly once.
 * Bounded: when {@value #PROBES} neighbouring places are taken, a read is not tracked, and counted.
 * Has few places until more are needed, because most peers of a large cluster have few reads.
 * Thread-safe, lock-free but for the one time it grows, allocates nothing per read.
 *
 * <p>Message ids are consecutive over all verbs and peers, so their low bits spread them evenly.
 * Cassandra counts them in an int, which overflows: an id may be negative. A place holds 0 (free),
 * -1 while it is being written, or an id's {@link #key}. Whoever takes a key out by compare-and-set
 * ends that read; a late answer finds nothing.
 */
final class SentReads {
  static final int PROBES = 16;
  static final int FEW = 64;
  static final long NOT_FOUND = Long.MIN_VALUE;

  private final int capacity;
  private final Places few;
  private volatile Places many;

  /**
   * @param capacity a power of two, at least {@value #PROBES}
   */
  SentReads(int capacity) {
    if (Integer.bitCount(capacity) != 1 || capacity < PROBES) {
      throw new IllegalArgumentException("capacity must be a power of two from " + PROBES);
    }
    this.capacity = capacity;
    few = new Places(Math.min(FEW, capacity));
  }

  /** What a place holds of an id: above 0, whatever the sign of the id. */
  private static long key(long id) {
    return (id & 0xFFFF_FFFFL) + 1;
  }

  /**
   * Remembers a read.
   *
   * @param id that of a message, an int
   * @return false if there is no room
   */
  boolean add(long id, long nowNanos) {
    long key = key(id);
    return few.add(key, nowNanos) || (capacity > FEW && many().add(key, nowNanos));
  }

  private Places many() {
    Places places = many;
    return places == null ? grow() : places;
  }

  private synchronized Places grow() {
    if (many == null) {
      many = new Places(capacity);
    }
    return many;
  }

  /** Ends a read: returns when it was sent, or {@link #NOT_FOUND} if it ended before. */
  long remove(long id) {
    long key = key(id);
    long sentAt = few.remove(key);
    Places more = many;
    return sentAt != NOT_FOUND || more == null ? sentAt : more.remove(key);
  }

  /** Ends every read that was sent longer ago than the timeout and returns how many. */
  int removeExpired(long nowNanos, long timeoutNanos) {
    Places more = many;
    return few.removeExpired(nowNanos, timeoutNanos)
        + (more == null ? 0 : more.removeExpired(nowNanos, timeoutNanos));
  }

  /** Returns how many places there are now. */
  int places() {
    Places more = many;
    return few.size() + (more == null ? 0 : more.size());
  }

  private static final class Places {
    private static final long CLAIMED = -1;

    private final int mask;
    private final AtomicLongArray keys;
    private final long[] sentAtNanos;

    Places(int capacity) {
      mask = capacity - 1;
      keys = new AtomicLongArray(capacity);
      sentAtNanos = new long[capacity];
    }

    boolean add(long key, long nowNanos) {
      for (int i = 0; i < PROBES; i++) {
        int place = (int) (key + i) & mask;
        if (keys.get(place) == 0 && keys.compareAndSet(place, 0, CLAIMED)) {
          sentAtNanos[place] = nowNanos;
          keys.set(place, key);
          return true;
        }
      }
      return false;
    }

    long remove(long key) {
      for (int i = 0; i < PROBES; i++) {
        int place = (int) (key + i) & mask;
        if (keys.get(place) == key) {
          long sentAt = sentAtNanos[place];
          if (keys.compareAndSet(place, key, 0)) {
            return sentAt;
          }
          return NOT_FOUND;
        }
      }
      return NOT_FOUND;
    }

    int removeExpired(long nowNanos, long timeoutNanos) {
      int expired = 0;
      for (int place = 0; place <= mask; place++) {
        long key = keys.get(place);
        if (key > 0
            && nowNanos - sentAtNanos[place] > timeoutNanos
            && keys.compareAndSet(place, key, 0)) {
          expired++;
        }
      }
      return expired;
    }

    int size() {
      return mask + 1;
    }
  }
}
