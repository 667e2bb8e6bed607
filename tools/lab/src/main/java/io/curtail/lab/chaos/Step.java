/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that is done.
 *
 * @param number in its plan, from 1
 * @param afterMillis how long after the step before
 * @param node to which it is done, from 1; the one that joins or leaves
 * @param what the table and its memtable, the sort of repair; empty if there is no choice
 * @param millis how long it lasts, for what has no end of its own
 * @param strike what happens meanwhile
 */
public record Step(
    int number,
    Kind kind,
    long afterMillis,
    int node,
    String what,
    long millis,
    Optional<Strike> strike) {
  /**
   * A fault while something is done.
   *
   * @param streaming the node whose streams must have begun; 0 if it counts from the start
   * @param afterMillis how long after that
   * @param pauseMillis how long the node stands still; 0 if it is killed
   */
  public record Strike(int node, int streaming, long afterMillis, long pauseMillis) {
    boolean kills() {
      return pauseMillis == 0;
    }

    @Override
    public String toString() {
      String what = kills() ? "is killed" : "stands still for " + pauseMillis + " ms";
      String begin = streaming == 0 ? "later" : "after node " + streaming + " begins to stream";
      return "node " + node + " " + what + " " + afterMillis + " ms " + begin;
    }
  }

  /** In a line for people, such as {@code 7. after 120 ms: kill, node 2, 900 ms}. */
  @Override
  public String toString() {
    return "%d. after %d ms: %s, node %d"
            .formatted(
                number, afterMillis, kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), node)
        + (what.isEmpty() ? "" : ", " + what)
        + (millis == 0 ? "" : ", " + millis + " ms")
        + strike.map(fault -> "; " + fault).orElse("");
  }
}
