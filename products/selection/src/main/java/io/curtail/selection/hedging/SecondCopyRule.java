/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a client sends second copies of slow reads to servers that drop them if no slot is free.
 *
 * <p>A copy is due after {@link HedgeDelay}, which begins as the slowest of the first reads, as
 * many as have one read that is slower than the share allows; until then none is due. Because it
 * may be dropped without an answer it is tried again: {@value #TRIES_PER_REPLICA} times for each
 * replica soon, while {@link WorkBudget} allows it and not under {@link Congestion}. After that
 * whoever has the read is taken to be lost, and copies are tried regardless, each time after a
 * tenth longer. None ever waits in a queue: copies that do feed an overload.
 *
 * <p>One instance a client. Thread-safe, lock-free.
 */
public final class SecondCopyRule {
  private static final int TRIES_PER_REPLICA = 2;
  private static final int MOST_LATE_TRIES = 70;
  private static final double LATE_GROWTH = 1.1;

  /** A read that was slow does not take the delay further than so many times what it took. */
  private static final long MOST_DELAY_TIMES = 2;

  private final double share;
  private final int firstReads;
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicLong slowestNanos = new AtomicLong(1);
  private final WorkBudget budget;
  private final Congestion congestion;
  private volatile HedgeDelay delay;

  /**
   * @param share of the reads that may get a second copy, in (0, 1)
   * @param workShare of the servers' work that second copies may add, in (0, 1]
   * @param busyShare of answers from servers with a queue, above which there is no room, in (0, 1]
   */
  public SecondCopyRule(double share, double workShare, double busyShare) {
    HedgeDelay.checkShare(share);
    this.share = share;
    this.firstReads = (int) Math.ceil(1 / share);
    this.budget = new WorkBudget(workShare);
    this.congestion = new Congestion(busyShare);
  }

  /**
   * Returns after how long without an answer a read's first copy is due, in ns; negative for never,
   * since too few reads are known yet.
   */
  public long delayNanos() {
    HedgeDelay known = delay;
    return known == null ? -1 : known.nanos();
  }

  /**
   * Returns whether a copy may leave now.
   *
   * @param tries made for the read before, sent or not
   * @param replicas that the read may be served by, all of them
   */
  public boolean maySend(int tries, int replicas) {
    return delay != null && (isLost(tries, replicas) || (budget.allows() && !congestion.isHigh()));
  }

  /** Returns whether reads queue at so many servers that there is no room for copies. */
  public boolean isCongested() {
    return congestion.isHigh();
  }

  /**
   * Returns whether the server that has the read is taken to be lost.
   *
   * @param tries made for the read, sent or not
   * @param replicas that the read may be served by, all of them
   */
  public static boolean isLost(int tries, int replicas) {
    return tries >= TRIES_PER_REPLICA * replicas;
  }

  /**
   * Returns how long after a try the next one is due, in ns; negative for never.
   *
   * @param tries made for the read, the one just made included
   */
  public long againNanos(int tries, int replicas) {
    HedgeDelay known = delay;
    int late = tries - TRIES_PER_REPLICA * replicas;
    if (known == null || late >= MOST_LATE_TRIES) {
      return -1;
    }
    return late < 0 ? known.againNanos() : (long) (known.nanos() * Math.pow(LATE_GROWTH, late));
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

  /**
   * A server told of its queue with an answer.
   *
   * @param waiting reads in it
   */
  public void onQueue(int waiting) {
    congestion.onAnswer(waiting);
  }

  /** A read was answered for the first time. */
  public void onWork(long serviceNanos) {
    budget.onWork(serviceNanos);
  }

  /**
   * A read was answered once more.
   *
   * @param serviceNanos what the second copy took
   */
  public void onExtraWork(long serviceNanos) {
    budget.onExtraWork(serviceNanos);
  }
}
