/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

/**
 * The tries to send second copies of one read. Because a server may drop a copy without an answer
 * it is tried again: {@value #TRIES_PER_REPLICA} times for each replica soon, while {@link
 * SecondCopyRule} has room for one. After that whoever has the read is taken to be lost, and copies
 * are tried regardless, each time after a tenth longer.
 *
 * <p>Belongs to one read, whose tries come one after the other. Not thread-safe.
 */
public final class CopyTries {
  private static final int TRIES_PER_REPLICA = 2;
  private static final int MOST_LATE_TRIES = 70;
  private static final double LATE_GROWTH = 1.1;

  private final int soon;
  private int made;

  /**
   * @param replicas that the read may be served by, all of them
   */
  public CopyTries(int replicas) {
    this.soon = TRIES_PER_REPLICA * replicas;
  }

  /**
   * Makes a try, which counts whether a copy leaves or not.
   *
   * @param tail of the read
   * @return whether a copy may leave now
   */
  public boolean next(SecondCopyRule rule, ReadTail tail) {
    boolean regardless = isLost();
    made++;
    return tail.delayNanos() >= 0 && (regardless || rule.hasRoom());
  }

  /**
   * Returns how long after the last try the next one is due, in ns; negative for never.
   *
   * @param tail of the read
   */
  public long againNanos(ReadTail tail) {
    long delay = tail.delayNanos();
    int late = made - soon;
    if (delay < 0 || late >= MOST_LATE_TRIES) {
      return -1;
    }
    return late < 0 ? tail.againNanos() : (long) (delay * Math.pow(LATE_GROWTH, late));
  }

  /** Returns whether the server that has the read is taken to be lost. */
  public boolean isLost() {
    return made >= soon;
  }

  /** Returns how many there were. */
  public int made() {
    return made;
  }
}
