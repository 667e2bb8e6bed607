/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/**
 * Whether it is worth trying to serve this coordinator's own reads as carried ones. Only when such
 * a read is sent it shows whether it can be: not where its level asks as many replicas as this data
 * centre has, nor by an index that is not built here or at the first in order. Then it reads from
 * another replica what this node has, as the order was made for a read that is kept.
 *
 * <p>So none is tried for a second after the last that was not kept, if lately those were more than
 * a quarter. Thread-safe; of two updates at once one may be lost.
 */
final class KeptReads {
  private static final long REMEMBERED_NANOS = 1_000_000_000L;

  /** One that was not kept outweighs as many that were. */
  private static final int WEIGHT = 3;

  private static final int MANY = 4 * WEIGHT;

  private volatile int excess;
  private volatile long refusedAtNanos;

  void onKept() {
    int known = excess;
    if (known > 0) {
      excess = known - 1;
    }
  }

  /** A read that was ordered to be kept was not. */
  void onRefused(long nowNanos) {
    refusedAtNanos = nowNanos;
    excess = Math.min(excess + WEIGHT, 2 * MANY);
  }

  boolean areWorthTrying(long nowNanos) {
    return excess < MANY || nowNanos - refusedAtNanos > REMEMBERED_NANOS;
  }
}
