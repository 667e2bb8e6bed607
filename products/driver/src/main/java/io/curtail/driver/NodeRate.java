/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import io.curtail.selection.rate.RateControl;
import java.util.function.LongSupplier;

/** How fast this client may send to one node. Thread-safe. */
final class NodeRate {
  private final RateControl control;
  private final LongSupplier nanoClock;
  private volatile long nextPermitNanos;

  NodeRate(RateControl control, LongSupplier nanoClock) {
    this.control = control;
    this.nanoClock = nanoClock;
    this.nextPermitNanos = nanoClock.getAsLong();
  }

  /** Whether a permit may be left; looks only. */
  boolean mayHavePermit() {
    return nanoClock.getAsLong() - nextPermitNanos >= 0;
  }

  boolean tryTake() {
    long now = nanoClock.getAsLong();
    long wait = control.tryAcquire(now);
    if (wait > 0) {
      nextPermitNanos = now + wait;
    }
    return wait == 0;
  }

  /** For a retry or a second copy, which do not wait. */
  void takeOnCredit() {
    control.acquire(nanoClock.getAsLong());
  }

  void answered(long elapsedNanos) {
    control.onResponse(elapsedNanos, nanoClock.getAsLong());
  }

  void failed() {
    control.onFailure(nanoClock.getAsLong());
  }

  double perSecond() {
    return control.limit();
  }
}
