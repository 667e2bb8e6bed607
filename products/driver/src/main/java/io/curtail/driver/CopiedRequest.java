/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.session.Request;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A request that waits for two nodes. Thread-safe. */
final class CopiedRequest {
  private static final AtomicIntegerFieldUpdater<CopiedRequest> OVER =
      AtomicIntegerFieldUpdater.newUpdater(CopiedRequest.class, "over");

  final Request request;
  final TrackedNode silent;
  final TrackedNode target;
  final long usualNanos;

  /** When the request left for the silent node. */
  final long askedAtNanos;

  /** When the copy left. */
  final long atNanos;

  /** 1 if its target refused or failed it, so that the request waits for the silent node alone. */
  private volatile int over;

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

  /** Its target refuses or fails it; returns false if it did before. */
  boolean end() {
    return OVER.compareAndSet(this, 0, 1);
  }

  boolean isOver() {
    return over != 0;
  }
}
