/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the plug-in's faults away from its host: an exception is counted, logged at a limited rate,
 * and the caller goes on as stock Cassandra would. {@value #LIMIT} within a minute switch the
 * plug-in off, until an operator sets a mode again. Thread-safe.
 */
final class Guard {
  static final int LIMIT = 10;
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final long SECONDS_BETWEEN_LOGS = 10;
  private static final Logger LOGGER = LoggerFactory.getLogger(Guard.class);

  private final LongSupplier nanoTime;
  private final Consumer<String> switchOff;
  private final AtomicLong errors = new AtomicLong();
  private long minuteStartedAtNanos;
  private int inMinute;

  /**
   * @param nanoTime monotonic
   * @param switchOff is told why
   */
  Guard(LongSupplier nanoTime, Consumer<String> switchOff) {
    this.nanoTime = nanoTime;
    this.switchOff = switchOff;
  }

  /** Runs a task; if it fails, the caller goes on. */
  void attempt(String doing, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | LinkageError e) {
      failed(doing, e);
    }
  }

  /** Something went wrong where the plug-in was doing this. */
  void failed(String doing, Throwable error) {
    errors.incrementAndGet();
    NoSpamLogger.log(
        LOGGER,
        NoSpamLogger.Level.ERROR,
        SECONDS_BETWEEN_LOGS,
        TimeUnit.SECONDS,
        "Curtail failed while {}; Cassandra goes on without it",
        doing,
        error);
    if (tooMany()) {
      switchOff.accept(LIMIT + " errors within a minute, the last while " + doing + ": " + error);
    }
  }

  private synchronized boolean tooMany() {
    long now = nanoTime.getAsLong();
    if (inMinute == 0 || now - minuteStartedAtNanos > MINUTE_NANOS) {
      minuteStartedAtNanos = now;
      inMinute = 0;
    }
    inMinute++;
    if (inMinute < LIMIT) {
      return false;
    }
    inMinute = 0;
    return true;
  }

  /** Returns all errors since the node started. */
  long errors() {
    return errors.get();
  }
}
