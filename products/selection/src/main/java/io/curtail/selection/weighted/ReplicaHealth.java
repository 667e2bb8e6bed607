/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.weighted;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whether one replica answers, and answers well. There are two signs that it does not:
 *
 * <ul>
 *   <li><b>it stalls</b>: many requests are in flight (10) and fewer than {@value
 *       #SUFFICIENT_RESPONSES} were answered in the last while (200 ms);
 *   <li><b>it fails</b>: the decayed share of failures among its responses is over a half. Without
 *       this a replica that fails fast has few requests in flight, looks idle, and draws the load
 *       of its peers.
 * </ul>
 *
 * <p>Safe for concurrent use without locks: responses are recorded by I/O threads, verdicts asked
 * for by any thread. A lost race costs one sample, never a wrong state that lasts. All times are
 * monotonic nanoseconds.
 */
public final class ReplicaHealth {
  /*
   * Time is read as seldom as possible. A success at most counts, it does not look at the clock; the
   * stall window is opened by the first ranking that sees the replica busy, and closed or renewed by
   * later ones. While nothing is wrong, `failures` is null and `window` is null, and a success writes
   * nothing: threads that write would wait for each other's caches. Of two responses counted at once
   * one may be lost. All that is asked of the count is whether it grows by two in a window, so while
   * the replica is busy all but the first two of each write nothing either.
   *
   * The failure ratio is an EWMA over responses, x <- x + a (sample - x) with a = 1/4, that also
   * halves every 10 s without a response, because an avoided replica gives no samples: 3 failures in
   * a row make a replica fail, and one that always fails is then tried about once in 3 s.
   */
  private static final int SUFFICIENT_RESPONSES = 2;
  private static final int STALE_WINDOWS = 10;
  private static final double SAMPLE_WEIGHT = 0.25;
  private static final double HALF_LIFE_NANOS = 10e9;
  private static final double NEGLIGIBLE_RATIO = 0.01;
  private static final VarHandle RESPONSES;

  static {
    try {
      RESPONSES =
          MethodHandles.lookup().findVarHandle(ReplicaHealth.class, "responses", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through RESPONSES
  private long responses;

  private final HealthSettings settings;
  private final LongAdder timesStalled = new LongAdder();
  private final LongAdder timesFailing = new LongAdder();
  private volatile Window window;
  private volatile Failures failures;

  public ReplicaHealth(HealthSettings settings) {
    this.settings = settings;
  }

  /** The replica answered, but the answer says nothing of how well it does. */
  public void answered() {
    Window current = window;
    if (current != null) {
      long count = responses();
      if (count - current.responsesAtStart < SUFFICIENT_RESPONSES) {
        RESPONSES.setOpaque(this, count + 1);
      }
    }
  }

  private long responses() {
    return (long) RESPONSES.getOpaque(this);
  }

  /**
   * The replica answered well.
   *
   * @param nowNanos not looked at unless {@link #hasFailed}: then {@link #answered} tells as much
   */
  public void succeeded(long nowNanos) {
    answered();
    Failures before = failures;
    if (before != null) {
      double ratio = before.ratioAt(nowNanos) * (1 - SAMPLE_WEIGHT);
      failures = ratio < NEGLIGIBLE_RATIO ? null : new Failures(ratio, nowNanos);
    }
  }

  /** The replica answered with an error that is its own, or its connection broke. */
  public void failed(long nowNanos) {
    double before = failureRatio(nowNanos);
    double ratio = before + SAMPLE_WEIGHT * (1 - before);
    failures = new Failures(ratio, nowNanos);
    if (before <= settings.failingRatio && ratio > settings.failingRatio) {
      timesFailing.increment();
    }
  }

  /** Whether a failure was seen lately, so that {@link #succeeded} needs the time. */
  public boolean hasFailed() {
    return failures != null;
  }

  /** Whether there is anything to decide; if not, the clock need not be read. */
  public boolean mayBeUnhealthy(int inFlight) {
    return inFlight >= settings.busyInFlight || window != null || failures != null;
  }

  /**
   * Returns whether the replica stalls or fails; as {@link #isStalled}, to be asked by rankings.
   */
  public boolean isUnhealthy(int inFlight, long nowNanos) {
    return mayBeUnhealthy(inFlight) && (isStalled(inFlight, nowNanos) || isFailing(nowNanos));
  }

  public boolean isFailing(long nowNanos) {
    return failureRatio(nowNanos) > settings.failingRatio;
  }

  /**
   * Returns whether the replica stalls. To be asked by rankings: each opens, closes or renews the
   * window in which responses are counted.
   */
  public boolean isStalled(int inFlight, long nowNanos) {
    Window current = window;
    if (inFlight < settings.busyInFlight) {
      if (current != null) {
        window = null;
      }
      return false;
    }
    if (current == null) {
      window = new Window(nowNanos, responses(), false);
      return false;
    }
    if (nowNanos - current.startNanos < settings.stallWindowNanos) {
      return current.afterStall;
    }
    long count = responses();
    boolean stalled = count - current.responsesAtStart < SUFFICIENT_RESPONSES;
    window = new Window(nowNanos, count, stalled);
    if (stalled && !current.afterStall) {
      timesStalled.increment();
    }
    return stalled;
  }

  /**
   * Returns what the last ranking found, without a verdict of its own: to be shown. Long after it,
   * {@value #STALE_WINDOWS} times what it takes to stall, nothing is known.
   */
  public boolean wasStalled(long nowNanos) {
    Window current = window;
    return current != null
        && current.afterStall
        && nowNanos - current.startNanos <= STALE_WINDOWS * settings.stallWindowNanos;
  }

  /** Returns the decayed share of failures among the responses, 0 to 1. */
  public double failureRatio(long nowNanos) {
    Failures current = failures;
    return current == null ? 0 : current.ratioAt(nowNanos);
  }

  /** Returns how often the replica began to stall. */
  public long timesStalled() {
    return timesStalled.sum();
  }

  /** Returns how often the replica began to fail. */
  public long timesFailing() {
    return timesFailing.sum();
  }

  /** An interval in which responses of a busy replica are counted. */
  private static final class Window {
    final long startNanos;
    final long responsesAtStart;

    /** The verdict of the window before this one, which holds until this one ends. */
    final boolean afterStall;

    Window(long startNanos, long responsesAtStart, boolean afterStall) {
      this.startNanos = startNanos;
      this.responsesAtStart = responsesAtStart;
      this.afterStall = afterStall;
    }
  }

  private static final class Failures {
    final double ratio;
    final long atNanos;

    Failures(double ratio, long atNanos) {
      this.ratio = ratio;
      this.atNanos = atNanos;
    }

    double ratioAt(long now) {
      long age = now - atNanos;
      return age <= 0 ? ratio : ratio * Math.exp(-Math.log(2) * age / HALF_LIFE_NANOS);
    }
  }
}
