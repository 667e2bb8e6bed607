/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.campaign;

import java.io.IOException;

/** Something long that measures, on real nodes or simulated ones. */
public interface Run {
  /**
   * Runs everything. When its thread is interrupted it stops what it started and returns.
   *
   * @throws IllegalStateException if a node does not start or a request fails that must not
   */
  void run() throws IOException;

  /** Returns what is finished so far. */
  Report report();
}
