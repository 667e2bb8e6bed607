/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import org.apache.cassandra.utils.Clock;

/**
 * A wall clock for {@code -Dcassandra.clock} that stands still until it is told to go on; nanoTime
 * is the machine's. Thread-safe.
 */
public final class SetClock implements Clock {
  private static volatile long millis = 1_000L * Long.getLong("io.curtail.testnode.clock", 0);

  /** Sets the clock, in seconds since 1970. */
  public static void set(String seconds) {
    millis = 1_000L * Long.parseLong(seconds);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long currentTimeMillis() {
    return millis;
  }
}
