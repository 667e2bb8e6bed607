/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

import io.curtail.selection.rate.RateControl;

/**
 * The On-Off algorithm's limit on one server: it is off, and gets no reads, until what waited there
 * by its last report, beyond {@value #LEAST_WAITING} reads, should be served. A read whose replicas
 * are all off waits at its client.
 *
 * <p><b>A reconstruction</b>: Jiang, Xie, Zhou, Fang, Wang, "Haste makes waste: The On-Off
 * algorithm for replica selection in key-value stores", JPDC 130, 2019, of which only the abstract
 * was at hand. Replicas that are on are ranked by C3; the number of reads is the best of 0, 2, 4
 * and 8.
 */
final class OnOff implements RateControl {
  static final int LEAST_WAITING = 4;

  private ServerLoad load;

  /** Limits what this client sends there. */
  void limit(ServerLoad server) {
    load = server;
  }

  @Override
  public long tryAcquire(long nowNanos) {
    if (!load.hasFeedback()) {
      return 0;
    }
    double perNano = Math.max(1, load.slots()) / Math.max(1, load.serviceTimeNanos());
    double off = (load.lastWaiting() - LEAST_WAITING) / perNano;
    return (long) Math.ceil(Math.max(0, off - load.feedbackAgeNanos(nowNanos)));
  }

  @Override
  public void acquire(long nowNanos) {}

  @Override
  public void onResponse(long elapsedNanos, long nowNanos) {}

  @Override
  public void onFailure(long nowNanos) {}

  @Override
  public void onAbandoned() {}

  /** Returns NaN: a server is on or off. */
  @Override
  public double limit() {
    return Double.NaN;
  }
}
