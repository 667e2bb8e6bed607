/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

/**
 * The writes of a {@link RecordSegment} that have begun and not ended, told apart by a part of the
 * hash: a write keeps few records from coming in besides its own. Not thread-safe.
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

  /** A write begins. */
  void begin(long hash) {
    int stripe = stripe(hash);
    begun[stripe]++;
    running[stripe]++;
  }

  /** It has ended. */
  void end(long hash) {
    running[stripe(hash)]--;
  }

  /**
   * A mark of this moment: another later, if one has begun since; negative while one is running.
   */
  long mark(long hash) {
    int stripe = stripe(hash);
    return running[stripe] == 0 ? begun[stripe] : -1;
  }
}
