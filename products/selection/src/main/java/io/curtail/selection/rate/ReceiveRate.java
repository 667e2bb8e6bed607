/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection.rate;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Responses per window, averaged over windows; windows without a response count as 0. {@link
 * #count} is thread-safe, {@link #perWindow} is for one caller at a time.
 */
final class ReceiveRate {
  private final long windowNanos;
  private final double newSampleWeight;
  private final AtomicInteger inWindow = new AtomicInteger();
  private long window;
  private double perWindow;

  ReceiveRate(long windowNanos, double newSampleWeight, double initialPerWindow, long nowNanos) {
    this.windowNanos = windowNanos;
    this.newSampleWeight = newSampleWeight;
    this.perWindow = initialPerWindow;
    this.window = Math.floorDiv(nowNanos, windowNanos);
  }

  void count() {
    inWindow.incrementAndGet();
  }

  /** Returns the average over the windows that have ended. */
  double perWindow(long nowNanos) {
    long current = Math.floorDiv(nowNanos, windowNanos);
    if (current > window) {
      // What came since the window began belongs to it but for the response that found it over.
      int ended = Math.max(0, inWindow.getAndSet(1) - 1);
      perWindow += newSampleWeight * (ended - perWindow);
      perWindow *= Math.pow(1 - newSampleWeight, (double) (current - window - 1));
      window = current;
    }
    return perWindow;
  }
}
