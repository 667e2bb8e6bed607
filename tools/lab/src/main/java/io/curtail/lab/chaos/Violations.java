/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.chaos;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a run found that should not be. Thread-safe. */
final class Violations {
  private final List<Violation> found = new CopyOnWriteArrayList<>();

  /** Reports what is so now, and was seen to stay so or cannot change any more. */
  void report(String what) {
    report(new Violation(now(), what, what, List.of()));
  }

  void report(Violation violation) {
    found.add(violation);
  }

  /** Those so far. */
  List<Violation> found() {
    return List.copyOf(found);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** The time of day, as the nodes' logs tell it. */
  static String now() {
    return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS).toString();
  }
}
