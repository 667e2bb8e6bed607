/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

/**
 * Tells the threads on which the driver hears of nodes. A plan is polled for a retry on such a
 * thread, just after the tracker was told of the error there; for a second copy it is polled by the
 * driver's timer, which hears of none.
 */
final class DriverThreads {
  private static final ThreadLocal<Boolean> HEARS_OF_NODES = new ThreadLocal<>();

  private DriverThreads() {}

  /** The current thread was told of a node. */
  static void hearsOfNodes() {
    if (HEARS_OF_NODES.get() == null) {
      HEARS_OF_NODES.set(true);
    }
  }

  /** Whether the current thread was ever told of a node. */
  static boolean isOfNodes() {
    return HEARS_OF_NODES.get() != null;
  }
}
