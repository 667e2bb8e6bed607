/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads all the time, without taking the processor from the nodes, and remembers the first that
 * failed or had another result.
 */
final class BackgroundReads implements AutoCloseable {
  private static final long PAUSE_MILLIS = 5;

  private final AtomicInteger done = new AtomicInteger();
  private final BackgroundTask task;

  BackgroundReads(PluggedCluster cluster, ConsistencyLevel level, int... coordinators) {
    task =
        new BackgroundTask(
            "reads at " + level,
            stopped -> {
              while (!stopped.getAsBoolean()) {
                int turn = done.getAndIncrement();
                cluster.read(coordinators[turn % coordinators.length], 1, level);
                Thread.sleep(PAUSE_MILLIS);
              }
            });
  }

  /** Throws what went wrong, if something did. */
  @Override
  public void close() {
    task.close();
    if (done.get() == 0) {
      throw new AssertionError("nothing was read");
    }
  }
}
