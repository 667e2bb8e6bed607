/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

/** Told what long work is doing, one line at a time, in words for the user. Thread-safe. */
@FunctionalInterface
public interface Progress {
  Progress NONE = line -> {};

  void report(String line);

  /** Tells where a campaign is, such as "[3/12, 40 s left] what". */
  default void report(int run, int runs, double secondsLeft, String what) {
    report("[%d/%d, %s left] %s".formatted(run, runs, words(secondsLeft), what));
  }

  /** Such as "40 s" or "3 min". */
  static String words(double seconds) {
    return seconds < 90 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min";
  }
}
