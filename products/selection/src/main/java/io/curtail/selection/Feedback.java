/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

/**
 * What a server says of itself with an answer. Immutable.
 *
 * <p>Waiting and active reads are separate: ten active reads on 32 threads are not a queue.
 */
public final class Feedback {
  private final int waiting;
  private final int active;
  private final int slots;
  private final long serviceTimeNanos;

  /**
   * @param waiting reads in the server's queue that no thread serves yet, at least 0
   * @param active reads being served, at least 0
   * @param slots reads the server can serve at once; 0 if it does not say
   * @param serviceTimeNanos how long a thread was busy with a read, queueing excluded, at least 0;
   *     of this read, or an average if the server keeps one
   */
  public Feedback(int waiting, int active, int slots, long serviceTimeNanos) {
    if (waiting < 0 || active < 0 || slots < 0 || serviceTimeNanos < 0) {
      throw new IllegalArgumentException(
          "feedback must not be negative: waiting "
              + waiting
              + ", active "
              + active
              + ", slots "
              + slots
              + ", service time "
              + serviceTimeNanos
              + " ns");
    }
    this.waiting = waiting;
    this.active = active;
    this.slots = slots;
    this.serviceTimeNanos = serviceTimeNanos;
  }

  public int waiting() {
    return waiting;
  }

  public int active() {
    return active;
  }

  /** Returns how many reads the server can serve at once, 0 if it does not say. */
  public int slots() {
    return slots;
  }

  public long serviceTimeNanos() {
    return serviceTimeNanos;
  }

  /** Returns the same reads as they are when every free slot has taken one that waits. */
  public Feedback withSlotsTaken() {
    int taken = Math.max(0, Math.min(waiting, slots - active));
    return taken == 0
        ? this
        : new Feedback(waiting - taken, active + taken, slots, serviceTimeNanos);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Feedback)) {
      return false;
    }
    Feedback that = (Feedback) other;
    return waiting == that.waiting
        && active == that.active
        && slots == that.slots
        && serviceTimeNanos == that.serviceTimeNanos;
  }

  @Override
  public int hashCode() {
    return ((waiting * 31 + active) * 31 + slots) * 31 + Long.hashCode(serviceTimeNanos);
  }

  @Override
  public String toString() {
    return "waiting "
        + waiting
        + ", active "
        + active
        + " of "
        + slots
        + ", service time "
        + serviceTimeNanos
        + " ns";
  }
}
