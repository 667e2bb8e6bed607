/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.hedging;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one client knows of the slowest answers of one replica, and what second copies cost it.
 *
 * <p>Two response times are kept: a recent one, averaged over {@value #RECENT_MILLIS} ms and at
 * least {@value #RECENT_ANSWERS} answers, and the usual one, which follows it within minutes, and
 * down from more than twice as much within seconds. Down from less as well, it would follow the
 * chance lows of a replica that is asked seldom, and find it slow half of the time. A replica is
 * slow while the recent one is more than {@value #SLOW} times the usual one. After {@value
 * #SILENT_SECONDS} s without an answer the recent one is the usual one: a replica that is asked by
 * chance only would else be taken for slow, and get no copies, until it has been asked often.
 *
 * <p>Thread-safe without locks. A sample that meets another thread in the middle of recording is
 * left out of the averages.
 */
public final class ReplicaTail {
  /*
   * Each answer writes, and a volatile write waits for the processor's store buffer: so there is none.
   * One thread records at a time, or one that stood still among the first answers and went on after
   * thousands would put back their number, the first delay and the usual response time, which moves
   * within minutes.
   */
  private static final VarHandle RECORDING;

  private static final VarHandle RECENT;
  private static final VarHandle USUAL;
  private static final VarHandle ANSWERED_AT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RECORDING = lookup.findVarHandle(ReplicaTail.class, "recording", int.class);
      RECENT = lookup.findVarHandle(ReplicaTail.class, "recentNanos", double.class);
      USUAL = lookup.findVarHandle(ReplicaTail.class, "usualNanos", double.class);
      ANSWERED_AT = lookup.findVarHandle(ReplicaTail.class, "answeredAtNanos", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static final double SLOW = 3;

  private static final long RECENT_MILLIS = 200;
  private static final double RECENT_NANOS = RECENT_MILLIS * 1e6;
  private static final int RECENT_ANSWERS = 32;
  private static final long SILENT_SECONDS = 10;
  private static final double SILENT_NANOS = SILENT_SECONDS * 1e9;
  private static final double FALL_NANOS = 5e9;
  private static final double USUAL_NANOS = 300e9;

  /** The usual response time is the mean of so many answers first. */
  private static final int FIRST_ANSWERS = 100;

  /** The delay begins at so many times the first answer. */
  private static final long FIRST_DELAY_RESPONSE_TIMES = 4;

  /**
   * Among the first answers it begins anew, by their mean, where it is more than so many times
   * that: by its own steps it would fall within thousands, if only the first answer was slow, as of
   * a node that has just started. Where it is a few times as long it is left: by chance it would
   * begin too short, and copies be too many.
   */
  private static final double FAR_RESPONSE_TIMES = 12;

  /** What is expected of others moves until the next copy is due. */
  private static final double LATER = 1.25;

  /** A node's share of the work that copies make is larger: they go where it is quick. */
  private static final double NODE_SHARE_TIMES = 5;

  private static final long NODE_BURST = 50;

  /** What an answer that takes as long as usual stands for in a budget. */
  static final long USUAL_WORK = 1_000_000;

  private final double share;
  private final WorkBudget budget;
  private volatile double othersNanos;

  /** Null before the first answer; written by the thread that records one. */
  private volatile HedgeDelay delay;

  /** 1 while a thread records an answer: these are written by that one only. */
  @SuppressWarnings("UnusedVariable") // through RECORDING
  private int recording;

  private int answers;
  private double recentNanos;
  private double usualNanos;
  private long answeredAtNanos;

  /**
   * @param share of the requests that may get a second copy, in (0, 0.2]
   */
  ReplicaTail(double share) {
    this.share = share;
    this.budget = new WorkBudget(NODE_SHARE_TIMES * share, NODE_BURST);
  }

  /** The replica answered; see {@link Hedging#answered}. */
  void answered(long elapsedNanos, boolean copied, long nowNanos) {
    HedgeDelay known = delay;
    record(elapsedNanos, nowNanos);
    if (known != null && !copied) {
      known.onRead(elapsedNanos > known.nanos());
    }
    budget.onWork(work(elapsedNanos), USUAL_WORK);
  }

  private void record(long elapsedNanos, long nowNanos) {
    if (!RECORDING.compareAndSet(this, 0, 1)) {
      return;
    }
    double sinceLast = Math.max(0, nowNanos - answeredAtNanos);
    answers = Math.min(FIRST_ANSWERS, answers + 1);
    double recent =
        toward(
            sinceLast > SILENT_NANOS ? usualNanos : recentNanos,
            (double) elapsedNanos,
            answers < RECENT_ANSWERS
                ? 1.0 / answers
                : Math.min(1.0 / RECENT_ANSWERS, weight(sinceLast, RECENT_NANOS)));
    double usual =
        answers < FIRST_ANSWERS
            ? toward(usualNanos, (double) elapsedNanos, 1.0 / answers)
            : toward(
                usualNanos,
                recent,
                weight(sinceLast, 2 * recent < usualNanos ? FALL_NANOS : USUAL_NANOS));
    RECENT.setOpaque(this, recent);
    ANSWERED_AT.setOpaque(this, nowNanos);
    USUAL.setRelease(this, Math.max(1, usual));
    if (answers < FIRST_ANSWERS) {
      beginDelay(usual);
    }
    RECORDING.setRelease(this, 0);
  }

  /** By another one: a thread that moves the one there is just now would put back what it was. */
  private void beginDelay(double meanNanos) {
    HedgeDelay known = delay;
    if (known == null || known.nanos() > FAR_RESPONSE_TIMES * meanNanos) {
      delay = new HedgeDelay(share, Math.max(1, FIRST_DELAY_RESPONSE_TIMES * (long) meanNanos));
    }
  }

  private static double toward(double before, double sample, double weight) {
    return before + weight * (sample - before);
  }

  private static double weight(double elapsed, double memory) {
    return 1 - Math.exp(-elapsed / memory);
  }

  /** What an answer stands for, at most {@link #USUAL_WORK}: a slow one earns no more. */
  long work(long elapsedNanos) {
    return (long) (USUAL_WORK * Math.min(1, elapsedNanos / Math.max(1, usualNanos())));
  }

  /** A request has waited for longer than the delay. */
  void overdue() {
    HedgeDelay known = delay;
    if (known != null) {
      known.onRead(true);
    }
  }

  /** A copy was due, and of the replicas that might get it the quickest needs so long. */
  void others(double expectedNanos) {
    othersNanos = LATER * expectedNanos;
  }

  /**
   * Returns after how long without an answer a request is copied; 0 if that is not known yet. Not
   * before another replica could have answered: a copy that is refused as too early is not tried
   * again.
   */
  public long delayNanos() {
    HedgeDelay known = delay;
    return known == null ? 0 : Math.max(known.nanos(), (long) othersNanos);
  }

  /** Returns the response time that the replica usually has; 0 before the first answer. */
  public double usualNanos() {
    return (double) USUAL.getAcquire(this);
  }

  /** Returns the response time that it has lately; 0 before the first answer. */
  public double recentNanos(long nowNanos) {
    double usual = usualNanos(); // written after the time of the answer
    return nowNanos - (long) ANSWERED_AT.getOpaque(this) > SILENT_NANOS ? usual : recentNanos();
  }

  private double recentNanos() {
    return (double) RECENT.getOpaque(this);
  }

  /** Returns whether the replica lately needs many times what it usually does. */
  public boolean isSlow() {
    return recentNanos() > SLOW * usualNanos();
  }

  WorkBudget budget() {
    return budget;
  }
}
