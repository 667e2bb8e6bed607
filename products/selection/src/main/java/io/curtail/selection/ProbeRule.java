/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Which replica that is not chosen gets a copy of a read which no client waits for, so that it is
 * heard of again: one that has not been heard for a time, with a share of the reads at most.
 * Immutable; thread-safe.
 */
public final class ProbeRule {
  private static final double SHARE_WHEN_OWN_READS_ARE_WELL = 0.1;

  private final long silenceNanos;
  private final double share;

  /**
   * @param silenceNanos after which a replica is probed, and between two probes of it; 0 for none
   * @param share of reads that may probe, 0 to 1
   */
  public ProbeRule(long silenceNanos, double share) {
    this.silenceNanos = silenceNanos;
    this.share = share;
  }

  /** Returns after which time a replica is probed; 0 if none is. */
  public long silenceNanos() {
    return silenceNanos;
  }

  /** Returns whether any read may. */
  public boolean isOn() {
    return silenceNanos > 0;
  }

  /**
   * Returns whether a read may probe. While a node reads its own data as fast as ever, what a probe
   * tells changes nothing; and a probe is work for two nodes where the read is work for one.
   *
   * @param readsItself whether the read goes to the coordinator itself
   * @param isItselfSlow whether such reads take longer than usual
   * @param drawn at random, 0 to 1
   */
  public boolean mayProbe(boolean readsItself, boolean isItselfSlow, double drawn) {
    boolean isWell = readsItself && !isItselfSlow;
    return isOn() && drawn < (isWell ? SHARE_WHEN_OWN_READS_ARE_WELL * share : share);
  }

  /** Takes the turn to probe a replica now, if it is due; one thread gets it. */
  public boolean take(ReplicaLoad load, Turn turn, long nowNanos) {
    return load.isUnheardFor(silenceNanos, nowNanos) && turn.take(silenceNanos, nowNanos);
  }

  /** When a replica may be probed next. Thread-safe. */
  public static final class Turn {
    private final AtomicLong notBeforeNanos;

    /** Of one that may be probed from this moment on. */
    public Turn(long nowNanos) {
      notBeforeNanos = new AtomicLong(nowNanos);
    }

    private boolean take(long onceInNanos, long nowNanos) {
      long notBefore = notBeforeNanos.get();
      return nowNanos - notBefore >= 0
          && notBeforeNanos.compareAndSet(notBefore, nowNanos + onceInNanos);
    }
  }
}
