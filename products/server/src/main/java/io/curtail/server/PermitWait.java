/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.rate.RankedPermits;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds a read while every replica of it is at its rate: the thread that serves the CQL request
 * parks, for {@code backlog_ms} in all. At most so many threads wait at once; beyond that, or when
 * the wait is over, the read goes to the best replica, on credit. Thread-safe.
 *
 * <p>Cassandra 5.0's coordinator works on one thread from the request to the answer, so a read that
 * waits always occupies it. The bounds are there for the others.
 */
final class PermitWait {
  private static final long MIN_PARK_NANOS = 50_000;
  private static final long MAX_PARK_NANOS = 1_000_000;

  private final Semaphore threads;
  private final Counts counts;

  PermitWait(int threads, Counts counts) {
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
  Peer admit(ReplicaSorter sorter, Settings settings, Host host, Runnable rankAgain) {
    int place = sorter.tryTakePermit(host.nanoTime());
    if (place != RankedPermits.NONE) {
      return sorter.ranked(place);
    }
    long left = settings.backlogNanos - sorter.context().heldNanos();
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
      return waitForPermit(sorter, host, rankAgain, left);
    } finally {
      threads.release();
    }
  }

  private Peer waitForPermit(ReplicaSorter sorter, Host host, Runnable rankAgain, long left) {
    counts.held.increment();
    sorter.ranked(0).counts.held.increment();
    long start = host.nanoTime();
    long end = start + left;
    int place = RankedPermits.NONE;
    long now = start;
    while (place == RankedPermits.NONE
        && end - now > 0
        && !Thread.currentThread().isInterrupted()) {
      long wait = Math.max(MIN_PARK_NANOS, Math.min(sorter.permitWaitNanos(), MAX_PARK_NANOS));
      LockSupport.parkNanos(this, Math.min(end - now, wait));
      rankAgain.run();
      now = host.nanoTime();
      place = sorter.tryTakePermit(now);
    }
    sorter.context().addHeld(now - start);
    counts.heldMicros.add((now - start) / 1000);
    if (place == RankedPermits.NONE) {
      counts.overdrawn.increment();
      return null;
    }
    return sorter.ranked(place);
  }

  /** Counts the read if it would have to wait, and lets it go on. Returns as {@link #admit}. */
  Peer observe(ReplicaSorter sorter, Host host) {
    int place = sorter.tryTakePermit(host.nanoTime());
    if (place == RankedPermits.NONE) {
      counts.wouldHold.increment();
      return null;
    }
    return sorter.ranked(place);
  }
}
