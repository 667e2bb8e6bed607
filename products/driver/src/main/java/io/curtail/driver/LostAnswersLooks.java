/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Has a policy look for {@link LostAnswers} again and again until it is closed. On a thread of its
 * own, which ends with it: the JDK's for delays never ends, and would keep the class loader of the
 * web application that used it first; the driver's timer has other classes where it is shaded.
 */
final class LostAnswersLooks implements AutoCloseable {
  private final ScheduledExecutorService thread;

  LostAnswersLooks(WeightedLeastLoadedPolicy policy) {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread started =
                  new Thread(task, policy.context().getSessionName() + "-curtail-lost-answers");
              started.setDaemon(true);
              return started;
            });
    ScheduledFuture<?> unused =
        thread.scheduleWithFixedDelay(
            () -> look(policy),
            LostAnswers.LOOK_INTERVAL_MILLIS,
            LostAnswers.LOOK_INTERVAL_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private static void look(WeightedLeastLoadedPolicy policy) {
    try {
      policy.lookForLostAnswers();
    } catch (Throwable e) {
      policy.faults().onFault("look for lost answers", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
