/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import io.curtail.selection.hedging.SecondCopyRule;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * When this coordinator's carried reads get second copies: runs {@link SecondCopyRule} by the
 * node's clock. Thread-safe.
 */
final class SecondCopies {
  private static final double BUSY_SHARE = 0.3;
  private static final long FIRST_DELAY_NANOS = 10_000_000;
  private static final long TICK_MILLIS = 1;

  private final LiveSettings live;
  private final Counts counts;
  private final Guard guard;
  private volatile Ruled ruled;
  private HashedWheelTimer timer;

  private static final class Ruled {
    final double percent;
    final SecondCopyRule rule;

    Ruled(double percent) {
      this.percent = percent;
      double share = percent / 100;
      rule = new SecondCopyRule(share, FIRST_DELAY_NANOS, share, BUSY_SHARE);
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

  private SecondCopyRule rule() {
    double percent = live.settings().copiesPercent;
    Ruled known = ruled;
    if (known == null || known.percent != percent) {
      known = new Ruled(percent);
      ruled = known;
    }
    return known.rule;
  }

  // Its thread wakes up each tick, so it is there only where it is needed.
  private synchronized HashedWheelTimer timer() {
    if (timer == null) {
      timer =
          new HashedWheelTimer(
              new DefaultThreadFactory("curtail-copies", true), TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
    return timer;
  }

  /**
   * A read left.
   *
   * @param send sends a copy of it, on the timer's thread
   */
  void follow(CarriedRead read, Consumer<CarriedRead> send) {
    if (areOn()) {
      after(rule().delayNanos(), read, send);
    }
  }

  /** Does something on the timer's thread, at its next tick. */
  void soon(Runnable task) {
    timer()
        .newTimeout(
            timeout -> {
              try {
                task.run();
              } catch (Throwable e) {
                guard.failed("sending a second read", e);
              }
            },
            0,
            TimeUnit.NANOSECONDS);
  }

  private void after(long nanos, CarriedRead read, Consumer<CarriedRead> send) {
    timer().newTimeout(timeout -> due(read, send), nanos, TimeUnit.NANOSECONDS);
  }

  private void due(CarriedRead read, Consumer<CarriedRead> send) {
    try {
      if (!areOn() || !read.isDue()) {
        return;
      }
      SecondCopyRule rule = rule();
      int replicas = read.route().size();
      if (rule.maySend(read.copyTries(), replicas)) {
        send.accept(read);
      } else {
        read.copyTo(replica -> false);
        counts.copiesHeld.increment();
      }
      long again = rule.againNanos(read.copyTries(), replicas);
      if (again >= 0) {
        after(again, read, send);
      }
    } catch (Throwable e) {
      guard.failed("sending a second copy", e);
    }
  }

  /**
   * A replica answered a carried read.
   *
   * @param feedback its report; null if it made none
   * @param extraWorkNanos what was done in vain; negative if this was the first answer
   */
  void answered(CarriedRead read, Feedback feedback, long extraWorkNanos) {
    if (!areOn()) {
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
    rule.onRead(read.wasSlow());
    if (feedback != null) {
      rule.onWork(feedback.serviceTimeNanos());
    }
    if (read.wonByCopy()) {
      counts.copiesFirst.increment();
    }
  }
}
