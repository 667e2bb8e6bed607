/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;

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

  private final Host host;
  private long reads = -1;
  private long micros;
  private double recentReads;
  private double recentMicros;
  private long sampledAtNanos;
  private volatile long serviceTimeNanos;

  LocalReads(Host host) {
    this.host = host;
  }

  /** Takes what happened since the last call. Called by one thread, every few milliseconds. */
  void sample(Peer self, long nowNanos) {
    long readsNow = host.localReads();
    long microsNow = host.localReadMicros();
    if (reads < 0) {
      sampledAtNanos = nowNanos;
    } else if (readsNow > reads) {
      double kept = Math.exp((sampledAtNanos - nowNanos) / MEMORY_NANOS);
      recentReads = kept * recentReads + readsNow - reads;
      recentMicros = kept * recentMicros + Math.max(0, microsNow - micros);
      serviceTimeNanos = (long) (1000 * recentMicros / recentReads);
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
}
