/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.rate.RateControl;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds a read while every replica of it is at its rate: the thread that serves the CQL request
 * parks, for a few milliseconds in all. At most so many threads wait at once; beyond that, or when
 * the wait is over, the read goes to the best replica, on credit. Thread-safe.
 *
 * <p>Cassandra 5.0's coordinator works on one thread from the request to the answer, so a read that
 * waits always occupies it. The bounds are there for the others.
 */
final class ReadBacklog {
  private static final long MIN_PARK_NANOS = 50_000;
  private static final long MAX_PARK_NANOS = 1_000_000;

  private final Semaphore threads;
  private final Counts counts;

  ReadBacklog(int threads, Counts counts) {
    this.threads = new Semaphore(threads);
    this.counts = counts;
  }

  /** Thrown to the caller when the backlog is full and the operator prefers an error. */
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1;

    Full() {
      super("every replica is at its rate and the backlog is full", null, false, false);
    }
  }

  /**
   * Returns the replica that the read may go to now, its permit taken, or null if it is not to be
   * limited: then it goes where the ranking says.
   *
   * @param rankAgain called after each wait
   */
  Peer admit(ReplicaOrder order, Settings settings, Host host, Runnable rankAgain) {
    long wait = tryRanked(order, host.nanoTime());
    if (wait <= 0) {
      return order.ranked((int) -wait);
    }
    long left = settings.backlogNanos - order.memory().heldNanos();
    if (left <= 0) {
      counts.overdrawn.increment();
      return null;
    }
    if (!threads.tryAcquire()) {
      if (settings.overloadedWhenBacklogFull) {
        counts.overloaded.increment();
        throw new Full();
      }
      counts.overdrawn.increment();
      return null;
    }
    try {
      return waitForPermit(order, host, rankAgain, wait, left);
    } finally {
      threads.release();
    }
  }

  private Peer waitForPermit(
      ReplicaOrder order, Host host, Runnable rankAgain, long firstWait, long left) {
    counts.held.increment();
    order.ranked(0).held.increment();
    long start = host.nanoTime();
    long end = start + left;
    long wait = firstWait;
    long now = start;
    while (wait > 0 && end - now > 0 && !Thread.currentThread().isInterrupted()) {
      long park = Math.min(end - now, Math.max(MIN_PARK_NANOS, Math.min(wait, MAX_PARK_NANOS)));
      LockSupport.parkNanos(this, park);
      rankAgain.run();
      now = host.nanoTime();
      wait = tryRanked(order, now);
    }
    order.memory().addHeld(now - start);
    counts.heldMicros.add((now - start) / 1000);
    if (wait > 0) {
      counts.overdrawn.increment();
      return null;
    }
    return order.ranked((int) -wait);
  }

  /**
   * Takes the permit of the best replica that has one.
   *
   * @return minus its place; or, above 0, the nanoseconds until the first of them may have one
   */
  private static long tryRanked(ReplicaOrder order, long nowNanos) {
    long shortest = Long.MAX_VALUE;
    for (int place = 0; place < order.ranked(); place++) {
      RateControl rate = order.ranked(place).rate;
      long wait = rate == null ? 0 : rate.tryAcquire(nowNanos);
      if (wait == 0) {
        return -place;
      }
      shortest = Math.min(shortest, wait);
    }
    return shortest;
  }

  /** Counts the read if it would have to wait, and lets it go on. Returns as {@link #admit}. */
  Peer observe(ReplicaOrder order, Host host) {
    long wait = tryRanked(order, host.nanoTime());
    if (wait <= 0) {
      return order.ranked((int) -wait);
    }
    counts.wouldHold.increment();
    return null;
  }
}
