/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.OwnReads;

/**
 * A coordinator's reads of its own data where they pass no message, as in {@code curtail-server}:
 * what its server served since the last look, at most every 10 ms, goes to {@link OwnReads}.
 */
final class SampledReads {
  private final Server server;
  private final OwnReads reads;
  private long sampleNotBeforeNanos;
  private long servedBefore;
  private long serviceNanosBefore;

  SampledReads(Server server) {
    this.server = server;
    reads = new OwnReads(nanos -> server.feedback((double) nanos), 0);
  }

  /** Brings the load up to date for a ranking. */
  void refresh(ServerLoad load, long nowNanos) {
    if (nowNanos >= sampleNotBeforeNanos) {
      sampleNotBeforeNanos = nowNanos + OwnReads.SAMPLE_NANOS;
      long served = server.served - servedBefore;
      reads.sample(load, served, server.servedNanos - serviceNanosBefore, nowNanos);
      if (served > 0) {
        servedBefore = server.served;
        serviceNanosBefore = server.servedNanos;
      }
    }
    reads.refresh(load, nowNanos);
  }

  /** Whether they take longer than usual. */
  boolean areSlow() {
    return reads.areSlow();
  }
}
