/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

/**
 * When a client sends second copies of slow reads to servers that drop them if no slot is free.
 *
 * <p>A copy is due after the delay of a {@link ReadTail}; before that is known none is due. Because
 * it may be dropped without an answer it is tried again: {@value #TRIES_PER_REPLICA} times for each
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

  private final double share;
  private final WorkBudget budget;
  private final Congestion congestion;

  /**
   * @param share of the reads that may get a second copy, in (0, 1)
   * @param workShare of the servers' work that second copies may add, in (0, 1]
   * @param busyShare of answers from servers with a queue, above which there is no room, in (0, 1]
   */
  public SecondCopyRule(double share, double workShare, double busyShare) {
    HedgeDelay.checkShare(share);
    this.share = share;
    this.budget = new WorkBudget(workShare);
    this.congestion = new Congestion(busyShare);
  }

  /** Returns what is to be kept of reads that are slow or not by themselves, as of one table. */
  public ReadTail newTail() {
    return new ReadTail(share);
  }

  /**
   * Returns whether a copy may leave now.
   *
   * @param tail of the read
   * @param tries made for the read before, sent or not
   * @param replicas that the read may be served by, all of them
   */
  public boolean maySend(ReadTail tail, int tries, int replicas) {
    return tail.delayNanos() >= 0
        && (isLost(tries, replicas) || (budget.allows() && !congestion.isHigh()));
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
   * @param tail of the read
   * @param tries made for the read, the one just made included
   */
  public long againNanos(ReadTail tail, int tries, int replicas) {
    long delay = tail.delayNanos();
    int late = tries - TRIES_PER_REPLICA * replicas;
    if (delay < 0 || late >= MOST_LATE_TRIES) {
      return -1;
    }
    return late < 0 ? tail.againNanos() : (long) (delay * Math.pow(LATE_GROWTH, late));
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
