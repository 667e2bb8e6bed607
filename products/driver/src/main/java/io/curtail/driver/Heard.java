/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import edu.umd.cs.findbugs.annotations.Nullable;
import io.curtail.selection.Feedback;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** When a node was heard last, and what it said of its load then. Thread-safe. */
final class Heard {
  /*
   * Written with each answer, while each plan reads the rest of what is known of the node: so nothing
   * else is within 128 bytes, as processors fetch two cache lines at once. Nothing is volatile, which
   * would be a wait for the store buffer each; a report is written after its time.
   */
  private static final int LONGS_BESIDE = 16;

  private static final int REFERENCES_BESIDE = 32;
  private static final int ANSWERED = LONGS_BESIDE;
  private static final int REPORTED = LONGS_BESIDE + 1;
  private static final int REPORT = REFERENCES_BESIDE;

  /** It reports with each answer, so it has been told not to when it answers without. */
  private static final long BELIEVED_NANOS = 1_000_000_000;

  private static final long NEVER = 0;

  private final AtomicLongArray times = new AtomicLongArray(REPORTED + 1 + LONGS_BESIDE);

  private final AtomicReferenceArray<Feedback> reports =
      new AtomicReferenceArray<>(REPORT + 1 + REFERENCES_BESIDE);

  void answered(long nowNanos) {
    times.setOpaque(ANSWERED, nowNanos);
  }

  /** Whether it answered within a time; not before the first answer. */
  boolean isWithin(long nanos, long nowNanos) {
    long at = times.getOpaque(ANSWERED);
    return at != NEVER && nowNanos - at <= nanos;
  }

  void reported(Feedback feedback, long nowNanos) {
    times.setOpaque(REPORTED, nowNanos);
    reports.setRelease(REPORT, feedback);
  }

  /** What it reported last; null if that is too long ago, or it never did. */
  @Nullable
  Feedback report(long nowNanos) {
    Feedback known = reports.getAcquire(REPORT);
    return known != null && nowNanos - times.getOpaque(REPORTED) <= BELIEVED_NANOS ? known : null;
  }
}
