/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.util.concurrent.locks.ReentrantLock;

/**
 * This node as a replica of its own reads: they pass no message, so what peers report with an
 * answer is taken from the read stage and from Cassandra's own read latency, which every execution
 * adds to. Thread-safe.
 *
 * <p>Nobody counts the reads that this coordinator has in its own read stage, as it counts those
 * outstanding at a peer: the stage's queue is looked at for each ranking, and it has the reads of
 * all coordinators, so there is nothing to extrapolate.
 *
 * <p>A ranking that finds the last look at the latencies too old takes the next one itself: a timer
 * that wakes up a hundred times a second costs a small node more than all rankings.
 */
final class LocalReads {
  private static final long FRESH_NANOS = 200_000;
  private static final long SAMPLE_NANOS = 10_000_000;

  /** Of the average: one read that met a pause of the collector does not make a slow disk. */
  private static final double MEMORY_NANOS = 100e6;

  /** Of what is usual. */
  private static final double LONG_MEMORY_NANOS = 60e9;

  /** Times the usual service time. */
  private static final double SLOW = 2;

  private final Host host;

  // Under the lock: a ranking that cannot have it goes on without.
  private final ReentrantLock lock = new ReentrantLock();
  private final FadingMean recent = new FadingMean(MEMORY_NANOS);
  private final FadingMean usual = new FadingMean(LONG_MEMORY_NANOS);
  private final TablesInUse tables;
  private long sampledAtNanos;

  private volatile long sampleNotBeforeNanos;
  private volatile long serviceTimeNanos;
  private volatile boolean slow;

  LocalReads(Host host) {
    this.host = host;
    tables = new TablesInUse(host);
    sampledAtNanos = host.nanoTime();
    sampleNotBeforeNanos = sampledAtNanos;
  }

  /** Brings the node's own load up to date, for a ranking that is about to look at it. */
  void refresh(Peer self, long nowNanos) {
    if (nowNanos - sampleNotBeforeNanos >= 0 && lock.tryLock()) {
      try {
        tables.findIfLate(nowNanos);
        sample(self, nowNanos);
      } finally {
        lock.unlock();
      }
    }
    if (self.hasFeedback() && self.feedbackAgeNanos(nowNanos) > FRESH_NANOS) {
      self.onFeedback(load(), nowNanos);
    }
  }

  /** Finds the tables that are read. To be called about once a second. */
  void follow(Peer self, long nowNanos) {
    lock.lock();
    try {
      sample(self, nowNanos);
      tables.find(nowNanos);
    } finally {
      lock.unlock();
    }
  }

  private void sample(Peer self, long nowNanos) {
    sampleNotBeforeNanos = nowNanos + SAMPLE_NANOS;
    tables.count();
    if (tables.reads() > 0) {
      long elapsed = nowNanos - sampledAtNanos;
      serviceTimeNanos = (long) recent.add(tables.reads(), tables.nanos(), elapsed);
      slow = serviceTimeNanos > SLOW * usual.add(tables.reads(), tables.nanos(), elapsed);
      sampledAtNanos = nowNanos;
      // No network: the response time is the service time, and the queue is told apart.
      self.onSent();
      self.onResponse(serviceTimeNanos, load(), nowNanos);
    }
  }

  private Feedback load() {
    return host.readStage(false, serviceTimeNanos);
  }

  /** Returns the average of about the last tenth of a second; 0 before. */
  long serviceTimeNanos() {
    return serviceTimeNanos;
  }

  /** Returns whether reads take more than twice as long now as on average in the last minute. */
  boolean areSlow() {
    return slow;
  }

  /** A mean in which what was long ago weighs little: 1/e of its weight after the memory's time. */
  private static final class FadingMean {
    private final double memoryNanos;
    private double count;
    private double sum;

    FadingMean(double memoryNanos) {
      this.memoryNanos = memoryNanos;
    }

    double add(long moreCount, long moreSum, long elapsedNanos) {
      double kept = Math.exp(-elapsedNanos / memoryNanos);
      count = kept * count + moreCount;
      sum = kept * sum + moreSum;
      return sum / count;
    }
  }
}
