/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.waiting;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;

/** Waits of tests: for what must come, and never for a time. */
public final class Waiting {
  /** Bounds what hangs; a busy machine needs a part of it. */
  public static final Duration PATIENCE = Duration.ofMinutes(3);

  private Waiting() {}

  /** Returns when something holds. */
  public static void await(Callable<Boolean> condition) {
    patiently().until(condition);
  }

  /** Returns when an assertion does not fail; fails as it does if it always does. */
  public static void eventually(ThrowingRunnable assertion) {
    patiently().untilAsserted(assertion);
  }

  /** A wait that has more to say. */
  public static ConditionFactory patiently() {
    return Awaitility.await().atMost(PATIENCE);
  }
}
