/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is slow for reads of one kind, as of one table: {@link HedgeDelay}, which begins as the
 * slowest of the first reads, as many as have one read that is slower than the share allows; until
 * then nothing is known. Made by {@link SecondCopyRule#newTail}. Thread-safe, lock-free.
 */
public final class ReadTail {
  /** A read that was slow does not take the delay further than so many times what it took. */
  private static final long MOST_DELAY_TIMES = 2;

  private final double share;
  private final int firstReads;
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicLong slowestNanos = new AtomicLong(1);
  private volatile HedgeDelay delay;

  ReadTail(double share) {
    this.share = share;
    this.firstReads = (int) Math.ceil(1 / share);
  }

  /**
   * Returns after how long without an answer a read's first copy is due, in ns; negative for never,
   * since too few reads are known yet.
   */
  public long delayNanos() {
    HedgeDelay known = delay;
    return known == null ? -1 : known.nanos();
  }

  /** The time from one copy of a read to the next. Only when the delay is known. */
  long againNanos() {
    return delay.againNanos();
  }

  /**
   * A read has all the answers that it needs.
   *
   * @param slow whether a second copy was due
   * @param elapsedNanos since it left
   */
  public void onRead(boolean slow, long elapsedNanos) {
    HedgeDelay known = delay;
    if (known != null) {
      // Of many reads that a pause made slow together the first move the delay beyond all of them.
      if (!slow || MOST_DELAY_TIMES * elapsedNanos > known.nanos()) {
        known.onRead(slow);
      }
      return;
    }
    long slowest = slowestNanos.accumulateAndGet(elapsedNanos, Math::max);
    if (reads.incrementAndGet() == firstReads) {
      delay = new HedgeDelay(share, slowest);
    }
  }
}
