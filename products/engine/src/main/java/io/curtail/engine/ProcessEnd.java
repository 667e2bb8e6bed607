/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What is done last when the process ends, whether or not Cassandra drains the node then: it does
 * not where the node was drained before, or ends for a failure.
 */
final class ProcessEnd {
  /** The thread in which Cassandra drains the node. */
  private static final String DRAIN = "StorageServiceShutdownHook";

  private static final int PATIENCE_MILLIS = 1_000;
  private static final int STEP_MILLIS = 50;

  private ProcessEnd() {}

  /**
   * Does it, once.
   *
   * @param isDrained whether the engine heard of a drain, and is through with it
   */
  static void after(BooleanSupplier isDrained, Runnable last) {
    Thread hook =
        new Thread(
            () -> {
              try {
                awaitDrain(isDrained);
              } finally {
                last.run();
              }
            },
            "curtail-engine-exit-hook");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) { // it ends already
      hook.setDaemon(true);
      hook.start();
    }
  }

  /** All hooks begin at once, in no order. */
  private static void awaitDrain(BooleanSupplier isDrained) {
    Optional<Thread> drain = drain();
    for (int millis = 0;
        drain.isEmpty() && !isDrained.getAsBoolean() && millis < PATIENCE_MILLIS;
        millis += STEP_MILLIS) {
      Uninterruptibles.sleepUninterruptibly(STEP_MILLIS, TimeUnit.MILLISECONDS);
      drain = drain();
    }
    drain.ifPresent(Uninterruptibles::joinUninterruptibly);
  }

  private static Optional<Thread> drain() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(DRAIN))
        .findAny();
  }
}
