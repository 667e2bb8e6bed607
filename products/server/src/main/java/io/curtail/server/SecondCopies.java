/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import io.curtail.selection.hedging.CopyTries;
import io.curtail.selection.hedging.ReadTail;
import io.curtail.selection.hedging.SecondCopyRule;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * When this coordinator's carried reads get second copies: runs {@link SecondCopyRule} and {@link
 * CopyTries} by the node's clock. Thread-safe.
 */
final class SecondCopies {
  private static final double BUSY_SHARE = 0.3;
  private static final long TICK_MILLIS = 1;
  private static final int MOST_TABLES = 10_000;

  private final LiveSettings live;
  private final Counts counts;
  private final Guard guard;
  private volatile Ruled ruled;
  private volatile HashedWheelTimer timer;

  /** Gets nothing new, and ends when it has done what it has. */
  private HashedWheelTimer ending;

  /** What sends copies. */
  interface Sender {
    /** A copy of the read may leave now. */
    void sendCopy(CarriedRead read);

    /** Whoever has the read is taken to be lost: it needs more than copies that nobody may take. */
    void rescue(CarriedRead read);

    /** The read gets no copies any more. */
    void giveUp(CarriedRead read);
  }

  private static final class Ruled {
    final double percent;
    final SecondCopyRule rule;
    private final Map<Object, ReadTail> tails = new ConcurrentHashMap<>();
    private final ReadTail ofOthers;

    Ruled(double percent) {
      this.percent = percent;
      double share = percent / 100;
      rule = new SecondCopyRule(share, share, BUSY_SHARE);
      ofOthers = rule.newTail();
    }

    /** Of a table; those beyond the first thousands, dropped ones included, share one. */
    ReadTail tail(Object table) {
      ReadTail known = tails.get(table);
      if (known == null) {
        known =
            tails.size() < MOST_TABLES
                ? tails.computeIfAbsent(table, added -> rule.newTail())
                : ofOthers;
      }
      return known;
    }
  }

  SecondCopies(LiveSettings live, Counts counts, Guard guard) {
    this.live = live;
    this.counts = counts;
    this.guard = guard;
  }

  /** Whether slow reads get second copies, in tables that have them. */
  boolean areOn() {
    return live.passing() == Passing.ON && live.settings().copiesPercent > 0;
  }

  // They may have been switched off since they were looked at: then any share will do.
  private Ruled ruled() {
    double percent = live.settings().copiesPercent;
    Ruled known = ruled;
    if (known == null || (percent > 0 && known.percent != percent)) {
      known = new Ruled(percent > 0 ? percent : 1);
      ruled = known;
    }
    return known;
  }

  private SecondCopyRule rule() {
    return ruled().rule;
  }

  /** What is slow for reads of the table. */
  ReadTail tail(Object table) {
    return ruled().tail(table);
  }

  // Its thread wakes up each tick, so it is there only where it is needed.
  private HashedWheelTimer timer() {
    HashedWheelTimer known = timer;
    return known == null ? startTimer() : known;
  }

  private synchronized HashedWheelTimer startTimer() {
    if (timer == null) {
      timer =
          new HashedWheelTimer(
              new DefaultThreadFactory("curtail-copies", true), TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
    return timer;
  }

  /**
   * Lets the timer go while no read is carried, as each needs it, with copies or without. To be
   * called about once a second: so long after the timer was last given out, everybody who had it
   * has used it.
   */
  void rest() {
    HashedWheelTimer ended = retire();
    if (ended != null) {
      ended.stop(); // not under the lock: what its thread does last may start another timer
    }
  }

  /** Returns the timer that has nothing left to do; null if there is none. */
  private synchronized HashedWheelTimer retire() {
    HashedWheelTimer ended = null;
    if (ending != null && ending.pendingTimeouts() == 0) {
      ended = ending;
      ending = null;
    }
    if (ending == null && live.passing() != Passing.ON) {
      ending = timer;
      timer = null;
    }
    return ended;
  }

  /**
   * A read left, and gets copies while they are on and it is known after how long.
   *
   * @param table whose reads are slow or not by themselves
   * @param sender called on the timer's thread
   */
  void follow(CarriedRead read, Object table, Sender sender) {
    long delay = -1;
    if (areOn()) {
      read.tail = tail(table);
      delay = read.tail.delayNanos();
    }
    if (delay >= 0) {
      after(delay, read, late -> begin(late, sender));
    } else {
      soon(() -> sender.giveUp(read));
    }
  }

  /** Does something on the timer's thread, at its next tick. */
  void soon(Runnable task) {
    timer().newTimeout(timeout -> guarded(task), 0, TimeUnit.NANOSECONDS);
  }

  /**
   * Cassandra's own second copy was due, and held back: the first of the read's own is due now.
   *
   * @param sender as in {@link #follow}
   */
  void hasten(CarriedRead read, Sender sender) {
    soon(
        () -> {
          if (read.begin()) {
            due(read, sender);
          }
        });
  }

  private void begin(CarriedRead read, Sender sender) {
    read.late();
    if (read.begin()) {
      due(read, sender);
    }
  }

  // The timer must not keep reads that were answered long before.
  private void after(long nanos, CarriedRead read, Consumer<CarriedRead> task) {
    WeakReference<CarriedRead> waiting = new WeakReference<>(read);
    timer()
        .newTimeout(
            timeout -> {
              CarriedRead known = waiting.get();
              if (known != null) {
                guarded(() -> task.accept(known));
              }
            },
            nanos,
            TimeUnit.NANOSECONDS);
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      guard.failed("sending a second copy", e);
    }
  }

  private void due(CarriedRead read, Sender sender) {
    if (!read.isDue()) {
      return;
    }
    long again = -1;
    try {
      ReadTail tail = read.tail;
      if (areOn() && tail != null) {
        again = attempt(read, tail, sender);
      }
    } finally {
      if (again < 0) {
        sender.giveUp(read);
      } else {
        after(again, read, waiting -> due(waiting, sender));
      }
    }
  }

  private long attempt(CarriedRead read, ReadTail tail, Sender sender) {
    SecondCopyRule rule = rule();
    CopyTries tries = read.copyTries;
    if (tries.next(rule, tail)) {
      sender.sendCopy(read);
    } else {
      (rule.isCongested() ? counts.copiesCongested : counts.copiesHeld).increment();
    }
    long again = tries.againNanos(tail);
    if (again >= 0 && !read.hasHeldBack()) { // Cassandra's own would have left by now
      again = Math.max(again, read.restNanos(tail.delayNanos()));
    }
    if (tries.isLost() || read.isOverIn(again)) {
      sender.rescue(read);
    }
    return again;
  }

  /**
   * A replica answered a carried read.
   *
   * @param feedback its report; null if it made none
   * @param extraWorkNanos what was done in vain; negative if this was the first answer
   */
  void answered(CarriedRead read, Feedback feedback, long extraWorkNanos) {
    if (!areOn() || !read.hasOwnCopies()) {
      return;
    }
    SecondCopyRule rule = rule();
    if (feedback != null) {
      rule.onQueue(feedback.waiting());
    }
    if (extraWorkNanos >= 0) {
      counts.copiesInVain.increment();
      rule.onExtraWork(extraWorkNanos);
      return;
    }
    if (read.tail != null) {
      read.tail.onRead(read.wasSlow(), System.nanoTime() - read.leftNanos());
    }
    if (feedback != null) {
      rule.onWork(feedback.serviceTimeNanos());
    }
    if (read.wonByCopy()) {
      counts.copiesFirst.increment();
    }
  }
}
