/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.session.Request;

/** A request that waits for two nodes. Thread-safe. */
final class Copy {
  final Request request;
  final HedgedQueryPlan plan;
  final TrackedNode silent;
  final TrackedNode target;
  final long spentNanos;

  /** When the request left for the silent node. */
  final long askedAtNanos;

  /** When the copy left. */
  final long atNanos;

  /** Whether its target gave it back, so that the request waits for the silent node alone. */
  volatile boolean refused;

  Copy(
      HedgedQueryPlan plan,
      TrackedNode silent,
      TrackedNode target,
      long spentNanos,
      long askedAtNanos,
      long atNanos) {
    this.request = plan.request();
    this.plan = plan;
    this.silent = silent;
    this.target = target;
    this.spentNanos = spentNanos;
    this.askedAtNanos = askedAtNanos;
    this.atNanos = atNanos;
  }
}
