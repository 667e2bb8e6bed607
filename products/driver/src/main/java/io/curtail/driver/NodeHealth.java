/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.concurrent.atomic.LongAdder;

/**
 * Whether one node answers, and answers well. Two signs make a node unhealthy:
 *
 * <ul>
 *   <li><b>it stalls</b>: at least {@value #BUSY_IN_FLIGHT} requests are in flight and fewer than
 *       {@value #SUFFICIENT_RESPONSES} were answered in the last {@value #WINDOW_MILLIS} ms;
 *   <li><b>it fails</b>: the decayed share of failures among its responses is over {@value
 *       #FAILING_RATIO}. Without this a node that fails fast has few requests in flight, looks
 *       idle, and draws the load of its peers.
 * </ul>
 *
 * <p>Safe for concurrent use without locks: responses are recorded by I/O threads, verdicts asked
 * for by any thread. A lost race costs one sample, never a wrong state that lasts. All times are
 * {@link System#nanoTime()} values.
 */
final class NodeHealth {
  /*
   * Time is read as seldom as possible. A success only counts, it does not look at the clock; the
   * stall window is opened by the first query plan that sees the node busy, and closed or renewed by
   * later plans. While nothing is wrong, `failures` is null and `window` is null.
   *
   * The failure ratio is an EWMA over responses, x <- x + a (sample - x) with a = 1/4, that also
   * halves every 10 s without a response, because an avoided node gives no samples: 3 failures in a
   * row make a node unhealthy, and a node that always fails is then tried about once in 3 s.
   */
  static final int BUSY_IN_FLIGHT = 10;
  static final int SUFFICIENT_RESPONSES = 2;
  static final long WINDOW_MILLIS = 200;
  static final double FAILING_RATIO = 0.5;

  private static final long WINDOW_NANOS = WINDOW_MILLIS * 1_000_000;
  private static final double SAMPLE_WEIGHT = 0.25;
  private static final double HALF_LIFE_NANOS = 10e9;
  private static final double NEGLIGIBLE_RATIO = 0.01;

  private final LongAdder responses = new LongAdder();
  private volatile Window window;
  private volatile Failures failures;

  /** The node answered. */
  void succeeded(long nowIfFailing) {
    responses.increment();
    Failures before = failures;
    if (before != null) {
      double ratio = before.ratioAt(nowIfFailing) * (1 - SAMPLE_WEIGHT);
      failures = ratio < NEGLIGIBLE_RATIO ? null : new Failures(ratio, nowIfFailing);
    }
  }

  /** The node answered with an error that is its own, or its connection broke. */
  void failed(long now) {
    Failures before = failures;
    double ratio = before == null ? 0 : before.ratioAt(now);
    failures = new Failures(ratio + SAMPLE_WEIGHT * (1 - ratio), now);
  }

  /** Whether a failure was seen lately, so that {@link #succeeded} needs the time. */
  boolean hasFailed() {
    return failures != null;
  }

  /** Whether {@link #isUnhealthy} has anything to decide; if not, the clock need not be read. */
  boolean mayBeUnhealthy(int inFlight) {
    return inFlight >= BUSY_IN_FLIGHT || window != null || failures != null;
  }

  boolean isUnhealthy(int inFlight, long now) {
    boolean stalled = isStalled(inFlight, now);
    return stalled || failureRatio(now) > FAILING_RATIO;
  }

  /** The decayed share of failures among the responses, 0 to 1. */
  double failureRatio(long now) {
    Failures current = failures;
    return current == null ? 0 : current.ratioAt(now);
  }

  /** The successful responses of this node so far. */
  long responses() {
    return responses.sum();
  }

  private boolean isStalled(int inFlight, long now) {
    Window current = window;
    if (inFlight < BUSY_IN_FLIGHT) {
      if (current != null) {
        window = null;
      }
      return false;
    }
    if (current == null) {
      window = new Window(now, responses.sum(), false);
      return false;
    }
    if (now - current.startNanos < WINDOW_NANOS) {
      return current.afterStall;
    }
    long count = responses.sum();
    boolean stalled = count - current.responsesAtStart < SUFFICIENT_RESPONSES;
    window = new Window(now, count, stalled);
    return stalled;
  }

  /** An interval in which responses of a busy node are counted. */
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
