/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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
  private static final long BETWEEN_LOGS_NANOS = 10_000_000_000L;
  private static final Logger LOGGER = LoggerFactory.getLogger(Guard.class);

  private final Consumer<String> switchOff;
  private final AtomicLong errors = new AtomicLong();
  private long minuteStartedAtNanos;
  private long loggedAtNanos;
  private int inMinute;
  private boolean logged;

  /**
   * @param switchOff is told why
   */
  Guard(Consumer<String> switchOff) {
    this.switchOff = switchOff;
  }

  /** Something went wrong where the plug-in was doing this. */
  void failed(String doing, Throwable error, long nowNanos) {
    errors.incrementAndGet();
    if (note(nowNanos)) {
      LOGGER.error("Curtail failed while {}; Cassandra goes on without it", doing, error);
    }
    if (tooMany()) {
      switchOff.accept(LIMIT + " errors within a minute, the last while " + doing + ": " + error);
    }
  }

  /** Returns whether to log. */
  private synchronized boolean note(long nowNanos) {
    if (inMinute == 0 || nowNanos - minuteStartedAtNanos > MINUTE_NANOS) {
      minuteStartedAtNanos = nowNanos;
      inMinute = 0;
    }
    inMinute++;
    if (logged && nowNanos - loggedAtNanos < BETWEEN_LOGS_NANOS) {
      return false;
    }
    logged = true;
    loggedAtNanos = nowNanos;
    return true;
  }

  private synchronized boolean tooMany() {
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
