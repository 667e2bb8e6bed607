/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Reads without a pause, and remembers the first that failed or had another result. */
final class BackgroundReads implements AutoCloseable {
  private final Thread thread;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;

  BackgroundReads(PluggedCluster cluster, ConsistencyLevel level, int... coordinators) {
    thread =
        new Thread(
            () -> {
              try {
                while (!stopped) {
                  int turn = done.getAndIncrement();
                  cluster.read(coordinators[turn % coordinators.length], 1, level);
                }
              } catch (Throwable e) {
                failure.set(e);
              }
            },
            "background reads");
    thread.start();
  }

  /** Throws what went wrong, if something did. */
  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure.get() != null) {
      throw new AssertionError("read " + done + " failed", failure.get());
    }
    if (done.get() == 0) {
      throw new AssertionError("nothing was read");
    }
  }
}
