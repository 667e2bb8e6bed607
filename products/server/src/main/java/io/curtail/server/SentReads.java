/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The reads that one peer has not answered: when each was sent, and that each ends exactly once.
 * Bounded: when {@value #PROBES} neighbouring places are taken, a read is not tracked, and counted.
 * Thread-safe, lock-free, allocates nothing per read.
 *
 * <p>Message ids are consecutive over all verbs and peers, so their low bits spread them evenly. A
 * place holds 0 (free), {@link #CLAIMED} while it is being written, or an id. Whoever takes an id
 * out by compare-and-set ends that read; a late answer finds nothing.
 */
final class SentReads {
  static final int PROBES = 16;
  static final long NOT_FOUND = Long.MIN_VALUE;
  private static final long CLAIMED = -1;

  private final int mask;
  private final AtomicLongArray ids;
  private final long[] sentAtNanos;

  /**
   * @param capacity a power of two, at least {@value #PROBES}
   */
  SentReads(int capacity) {
    if (Integer.bitCount(capacity) != 1 || capacity < PROBES) {
      throw new IllegalArgumentException("capacity must be a power of two from " + PROBES);
    }
    mask = capacity - 1;
    ids = new AtomicLongArray(capacity);
    sentAtNanos = new long[capacity];
  }

  /**
   * Remembers a read.
   *
   * @param id above 0
   * @return false if there is no room
   */
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

  /** Ends a read: returns when it was sent, or {@link #NOT_FOUND} if it ended before. */
  long remove(long id) {
    if (id <= 0) {
      return NOT_FOUND; // what a free or a claimed place holds
    }
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

  /** Ends every read that was sent longer ago than the timeout and returns how many. */
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
}
