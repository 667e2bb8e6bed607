/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.session.Request;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A request that waits for two nodes. Thread-safe. */
final class CopiedRequest {
  private static final AtomicIntegerFieldUpdater<CopiedRequest> REFUSED =
      AtomicIntegerFieldUpdater.newUpdater(CopiedRequest.class, "refused");

  final Request request;
  final TrackedNode silent;
  final TrackedNode target;
  final long usualNanos;

  /** When the request left for the silent node. */
  final long askedAtNanos;

  /** When the copy left. */
  final long atNanos;

  /** 1 if its target gave it back, so that the request waits for the silent node alone. */
  private volatile int refused;

  CopiedRequest(
      Request request,
      TrackedNode silent,
      TrackedNode target,
      long usualNanos,
      long askedAtNanos,
      long atNanos) {
    this.request = request;
    this.silent = silent;
    this.target = target;
    this.usualNanos = usualNanos;
    this.askedAtNanos = askedAtNanos;
    this.atNanos = atNanos;
  }

  /** Its target gives it back; returns false if it did before. */
  boolean refuse() {
    return REFUSED.compareAndSet(this, 0, 1);
  }

  boolean isRefused() {
    return refused != 0;
  }
}
