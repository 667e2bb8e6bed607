/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** What goes on beside a test in a thread of its own. Remembers why it failed. */
final class BackgroundTask implements AutoCloseable {
  private final String name;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean stopped;

  /** Goes on until it is to stop. */
  interface Body {
    void run(BooleanSupplier stopped) throws Exception;
  }

  BackgroundTask(String name, Body body) {
    this.name = name;
    thread =
        new Thread(
            () -> {
              try {
                body.run(() -> stopped);
              } catch (Throwable e) {
                failure.set(e);
              }
            },
            name);
    thread.start();
  }

  boolean hasFailed() {
    return failure.get() != null;
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
    if (hasFailed()) {
      throw new AssertionError(name + " failed", failure.get());
    }
  }
}
