/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.Feedback;

/**
 * What a coordinator knows of its own replica where its own reads pass no message, as in {@code
 * curtail-server}: the queue as it is at each ranking, and the mean service time since the last
 * look, at most every 10 ms. Reads of its own are not counted as outstanding.
 */
final class OwnReads {
  private static final long FRESH_NANOS = 200_000;
  private static final long SAMPLE_NANOS = 10_000_000;

  private final Server server;
  private long sampleNotBeforeNanos;
  private long servedBefore;
  private long serviceNanosBefore;
  private long latestNanos;

  OwnReads(Server server) {
    this.server = server;
  }

  /** Brings the load up to date for a ranking. */
  void refresh(ServerLoad load, long nowNanos) {
    if (nowNanos >= sampleNotBeforeNanos) {
      sampleNotBeforeNanos = nowNanos + SAMPLE_NANOS;
      long served = server.served - servedBefore;
      if (served > 0) {
        latestNanos = (server.servedNanos - serviceNanosBefore) / served;
        servedBefore = server.served;
        serviceNanosBefore = server.servedNanos;
        Feedback feedback = server.feedback((double) latestNanos);
        load.onSent();
        load.onResponse(
            latestNanos + latestNanos * feedback.waiting() / feedback.slots(), feedback, nowNanos);
      }
    }
    if (load.hasFeedback() && load.feedbackAgeNanos(nowNanos) > FRESH_NANOS) {
      load.onFeedback(server.feedback((double) latestNanos), nowNanos);
    }
  }
}
