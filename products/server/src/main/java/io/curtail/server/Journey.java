/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Where a sampled read went after it was ordered, and when: to a replica, on to the next, with a
 * copy, and who answered. Makes text only for who reads it, as a {@link Decisions.Decision} does.
 * Bounded. Thread-safe.
 */
final class Journey {
  private static final int MOST_STEPS = 32;

  private final long startNanos = System.nanoTime();
  private final List<Step> steps = new ArrayList<>(4);

  private static final class Step {
    final String what;
    final InetAddressAndPort replica;
    final long afterNanos;

    Step(String what, InetAddressAndPort replica, long afterNanos) {
      this.what = what;
      this.replica = replica;
      this.afterNanos = afterNanos;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%s %s +%.1f ms", what, replica.getHostAddressAndPort(), afterNanos / 1e6);
    }
  }

  /** Something happened to the read at the replica. */
  synchronized void add(String what, InetAddressAndPort replica) {
    if (steps.size() < MOST_STEPS) {
      steps.add(new Step(what, replica, System.nanoTime() - startNanos));
    }
  }

  /** Empty if the read could not be passed on, and went as Cassandra sends it. */
  @Override
  public synchronized String toString() {
    return steps.stream().map(Step::toString).collect(Collectors.joining(", "));
  }
}
