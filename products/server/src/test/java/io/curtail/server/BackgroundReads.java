/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import static io.curtail.waiting.Waiting.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads all the time, without taking the processor from the nodes, and remembers the first that
 * failed or had another result.
 */
final class BackgroundReads implements AutoCloseable {
  private static final long PAUSE_MILLIS = 5;

  private final PluggedCluster cluster;
  private final ConsistencyLevel level;
  private final AtomicInteger done = new AtomicInteger();
  private final BackgroundTask task;

  BackgroundReads(PluggedCluster cluster, ConsistencyLevel level, int... coordinators) {
    this.cluster = cluster;
    this.level = level;
    task =
        new BackgroundTask(
            "reads at " + level,
            stopped -> {
              while (!stopped.getAsBoolean()) {
                read(coordinators[done.get() % coordinators.length]);
                done.incrementAndGet();
                Thread.sleep(PAUSE_MILLIS);
              }
            });
  }

  private void read(int coordinator) {
    try {
      cluster.read(coordinator, 1, level);
    } catch (ReadFailureException e) {
      throw new AssertionError("replicas failed, for these reasons: " + e.getReasonMap(), e);
    }
  }

  /** Returns when so many more have been read, or one has failed. */
  void awaitMore(int reads) {
    int enough = done.get() + reads;
    await(() -> done.get() >= enough || task.hasFailed());
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
