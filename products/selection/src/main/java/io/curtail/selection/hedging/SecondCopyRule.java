/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

/**
 * When a client sends second copies of slow reads to servers that drop them if no slot is free.
 *
 * <p>A copy is due after the delay of a {@link ReadTail}; before that is known none is due. There
 * is room for it while {@link WorkBudget} allows it and not under {@link Congestion}; {@link
 * CopyTries} says how often it is tried. None ever waits in a queue: copies that do feed an
 * overload.
 *
 * <p>One instance a client. Thread-safe, lock-free.
 */
public final class SecondCopyRule {
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

  /** Returns whether a copy may leave now of a read whose replica is not taken to be lost. */
  boolean hasRoom() {
    return budget.allows() && !congestion.isHigh();
  }

  /** Returns whether reads queue at so many servers that there is no room for copies. */
  public boolean isCongested() {
    return congestion.isHigh();
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
