/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.OwnReads;
import java.util.concurrent.locks.ReentrantLock;

/**
 * This node as a replica of its own reads: Cassandra's own latencies of both kinds of reads, to
 * which every execution adds, go to {@link OwnReads}. Thread-safe.
 *
 * <p>A ranking that finds the last look at the latencies too old takes the next one itself: a timer
 * that wakes up a hundred times a second costs a small node more than all rankings.
 */
final class LocalReads {
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
    point.reads.refresh(self.point, nowNanos);
    range.reads.refresh(self.load(ReadKind.RANGE), nowNanos);
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
    sampleNotBeforeNanos = nowNanos + OwnReads.SAMPLE_NANOS;
    point.sample(self, nowNanos);
    range.sample(self, nowNanos);
  }

  /** Returns the average of point reads of about the last tenth of a second; 0 before. */
  long serviceTimeNanos() {
    return (long) point.reads.recentNanos();
  }

  /** Returns the average of about the last sixteen point reads; 0 before the first. */
  double meanServiceNanos() {
    return point.reads.meanNanos();
  }

  /** Returns whether reads take more than twice as long now as on average in the last minute. */
  boolean areSlow() {
    return point.reads.areSlow() || range.reads.areSlow();
  }

  /** The reads of one kind. */
  private final class Sampled {
    final ReadKind kind;
    final TablesInUse tables;
    final OwnReads reads;

    Sampled(ReadKind kind) {
      this.kind = kind;
      tables = new TablesInUse(host, kind);
      reads = new OwnReads(serviceNanos -> host.readStage(false, serviceNanos), host.nanoTime());
    }

    void sample(Peer self, long nowNanos) {
      tables.count();
      reads.sample(self.load(kind), tables.reads(), tables.nanos(), nowNanos);
    }
  }
}
