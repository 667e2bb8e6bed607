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
 * <p>Message ids are consecutive over all verbs and peers, so their low bits spread them evenly. A
 * place holds 0 (free), -1 while it is being written, or an id. Whoever takes an id out by
 * compare-and-set ends that read; a late answer finds nothing.
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

  /**
   * Remembers a read.
   *
   * @param id above 0
   * @return false if there is no room
   */
  boolean add(long id, long nowNanos) {
    return few.add(id, nowNanos) || (capacity > FEW && many().add(id, nowNanos));
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
    if (id <= 0) {
      return NOT_FOUND; // what a free or a claimed place holds
    }
    long sentAt = few.remove(id);
    Places more = many;
    return sentAt != NOT_FOUND || more == null ? sentAt : more.remove(id);
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
    private final AtomicLongArray ids;
    private final long[] sentAtNanos;

    Places(int capacity) {
      mask = capacity - 1;
      ids = new AtomicLongArray(capacity);
      sentAtNanos = new long[capacity];
    }

    boolean add(long id, long nowNanos) {
      for (int i = 0; i < PROBES; i++) {
        int place = (int) (id + i) & mask;
        if (ids.get(place) == 0 && ids.compareAndSet(place, 0, CLAIMED)) {
          sentAtNanos[place] = nowNanos;
          ids.set(place, id);
          return true;
        }
      }
      return false;
    }

    long remove(long id) {
      for (int i = 0; i < PROBES; i++) {
        int place = (int) (id + i) & mask;
        if (ids.get(place) == id) {
          long sentAt = sentAtNanos[place];
          if (ids.compareAndSet(place, id, 0)) {
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
        long id = ids.get(place);
        if (id > 0
            && nowNanos - sentAtNanos[place] > timeoutNanos
            && ids.compareAndSet(place, id, 0)) {
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
