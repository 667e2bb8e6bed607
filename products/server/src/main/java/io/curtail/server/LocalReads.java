/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.util.concurrent.locks.ReentrantLock;

/**
 * This node as a replica of its own reads: they pass no message, so what peers report with an
 * answer is taken from the read stage and from Cassandra's own latencies of both kinds of reads,
 * which every execution adds to. Averaged as the answers of peers are, so that scores compare.
 * Thread-safe.
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

  /** What is recent. */
  private static final double MEMORY_NANOS = 100e6;

  /** What is usual. */
  private static final double LONG_MEMORY_NANOS = 60e9;

  private static final double AVERAGED_READS = 16;

  /** Times the usual service time. */
  private static final double SLOW = 2;

  private final Host host;

  // Under the lock: a ranking that cannot have it goes on without.
  private final ReentrantLock lock = new ReentrantLock();
  private final Sampled point;
  private final Sampled range;

  private volatile long sampleNotBeforeNanos;

  LocalReads(Host host) {
    this.host = host;
    sampleNotBeforeNanos = host.nanoTime();
    point = new Sampled(ReadKind.POINT);
    range = new Sampled(ReadKind.RANGE);
  }

  /** Brings the node's own load up to date, for a ranking that is about to look at it. */
  void refresh(Peer self, long nowNanos) {
    if (nowNanos - sampleNotBeforeNanos >= 0 && lock.tryLock()) {
      try {
        point.tables.findIfLate(nowNanos);
        range.tables.findIfLate(nowNanos);
        sample(self, nowNanos);
      } finally {
        lock.unlock();
      }
    }
    point.refreshQueue(self, nowNanos);
    range.refreshQueue(self, nowNanos);
  }

  /** Finds the tables that are read. To be called about once a second. */
  void follow(Peer self, long nowNanos) {
    lock.lock();
    try {
      sample(self, nowNanos);
      point.tables.find(nowNanos);
      range.tables.find(nowNanos);
    } finally {
      lock.unlock();
    }
  }

  private void sample(Peer self, long nowNanos) {
    sampleNotBeforeNanos = nowNanos + SAMPLE_NANOS;
    point.sample(self, nowNanos);
    range.sample(self, nowNanos);
  }

  /** Returns the average of point reads of about the last tenth of a second; 0 before. */
  long serviceTimeNanos() {
    return (long) point.recentNanos;
  }

  /** Returns the average of about the last sixteen point reads; 0 before the first. */
  double meanServiceNanos() {
    return point.meanNanos;
  }

  /** Returns whether reads take more than twice as long now as on average in the last minute. */
  boolean areSlow() {
    return point.slow || range.slow;
  }

  /** The reads of one kind. */
  private final class Sampled {
    final ReadKind kind;
    final TablesInUse tables;
    private final FadingMean recent = new FadingMean(MEMORY_NANOS);
    private final FadingMean usual = new FadingMean(LONG_MEMORY_NANOS);
    private long sampledAtNanos;
    private volatile long latestNanos;
    volatile double recentNanos;
    volatile double meanNanos;
    volatile boolean slow;

    Sampled(ReadKind kind) {
      this.kind = kind;
      tables = new TablesInUse(host, kind);
      sampledAtNanos = host.nanoTime();
    }

    void sample(Peer self, long nowNanos) {
      tables.count();
      if (tables.reads() == 0) {
        return;
      }
      long elapsed = nowNanos - sampledAtNanos;
      sampledAtNanos = nowNanos;
      recentNanos = recent.add(tables.reads(), tables.nanos(), elapsed);
      slow = recentNanos > SLOW * usual.add(tables.reads(), tables.nanos(), elapsed);
      latestNanos = tables.nanos() / tables.reads();
      double before = meanNanos;
      double forgotten = Math.pow(1 - 1 / AVERAGED_READS, (double) tables.reads());
      meanNanos = before == 0 ? latestNanos : latestNanos + (before - latestNanos) * forgotten;
      Feedback feedback = host.readStage(false, latestNanos);
      self.load(kind).onSent();
      self.load(kind).onResponse(responseNanos(feedback), feedback, nowNanos);
    }

    // As a peer's response time has: the wait for a thread, and the service.
    private long responseNanos(Feedback feedback) {
      return latestNanos + latestNanos * feedback.waiting() / Math.max(1, feedback.slots());
    }

    void refreshQueue(Peer self, long nowNanos) {
      PeerLoad load = self.load(kind);
      if (load.hasFeedback() && load.feedbackAgeNanos(nowNanos) > FRESH_NANOS) {
        load.onFeedback(host.readStage(false, latestNanos), nowNanos);
      }
    }
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
