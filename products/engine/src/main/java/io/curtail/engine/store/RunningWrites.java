/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

/**
 * The writes of a {@link RecordSegment} that have begun and not ended, told apart by a part of the
 * hash: a write holds up few records besides its own. Not thread-safe.
 */
final class RunningWrites {
  private static final int STRIPES = 64;
  private static final int SHIFT = 40;

  private final long[] begun = new long[STRIPES];

  /** Those of them that have not ended. */
  private final int[] running = new int[STRIPES];

  private static int stripe(long hash) {
    return (int) (hash >>> SHIFT) & (STRIPES - 1);
  }

  /** A write begins; true if no other is running that may be of the same. */
  boolean begin(long hash) {
    int stripe = stripe(hash);
    begun[stripe]++;
    return running[stripe]++ == 0;
  }

  /** It has ended. */
  void end(long hash) {
    running[stripe(hash)]--;
  }

  /** Whether none is running that may be of this hash. */
  boolean isQuiet(long hash) {
    return running[stripe(hash)] == 0;
  }

  /**
   * A mark of this moment: another later, if one has begun since; negative while one is running.
   */
  long mark(long hash) {
    return isQuiet(hash) ? begun[stripe(hash)] : -1;
  }
}
