/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.util.ConcurrentModificationException;

/**
 * This node as a replica of its own reads: they pass no message, so what peers report with an
 * answer is taken from the read stage and from Cassandra's own read latency, which every execution
 * adds to.
 *
 * <p>Nobody counts the reads that this coordinator has in its own read stage, as it counts those
 * outstanding at a peer: the stage's queue is looked at for each ranking, and it has the reads of
 * all coordinators, so there is nothing to extrapolate.
 */
final class LocalReads {
  private static final long FRESH_NANOS = 200_000;

  /** Of the average: one read that met a pause of the collector does not make a slow disk. */
  private static final double MEMORY_NANOS = 100e6;

  /** Of what is usual. */
  private static final double LONG_MEMORY_NANOS = 60e9;

  /** Times the usual service time. */
  private static final double SLOW = 2;

  private final Host host;
  private long reads = -1;
  private long micros;
  private long sampledAtNanos;
  private final FadingMean recent = new FadingMean(MEMORY_NANOS);
  private final FadingMean usual = new FadingMean(LONG_MEMORY_NANOS);
  private volatile long serviceTimeNanos;
  private volatile boolean slow;

  LocalReads(Host host) {
    this.host = host;
  }

  /** Takes what happened since the last call. Called by one thread, every few milliseconds. */
  void sample(Peer self, long nowNanos) {
    try {
      sample(self, host.localReads(), host.localReadMicros(), nowNanos);
    } catch (ConcurrentModificationException e) {
      // Cassandra adds up over its tables, and one is being made: the next sample has all.
    }
  }

  private void sample(Peer self, long readsNow, long microsNow, long nowNanos) {
    if (reads < 0) {
      sampledAtNanos = nowNanos;
    } else if (readsNow > reads) {
      long elapsed = nowNanos - sampledAtNanos;
      long nanos = 1000 * Math.max(0, microsNow - micros);
      serviceTimeNanos = (long) recent.add(readsNow - reads, nanos, elapsed);
      slow = serviceTimeNanos > SLOW * usual.add(readsNow - reads, nanos, elapsed);
      sampledAtNanos = nowNanos;
      // No network: the response time is the service time, and the queue is told apart.
      self.onSent();
      self.onResponse(serviceTimeNanos, load(), nowNanos);
    }
    reads = readsNow;
    micros = microsNow;
  }

  /** Brings the queue up to date, for a ranking that is about to look at it. Thread-safe. */
  void refresh(Peer self, long nowNanos) {
    if (self.hasFeedback() && self.feedbackAgeNanos(nowNanos) > FRESH_NANOS) {
      self.onFeedback(load(), nowNanos);
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
