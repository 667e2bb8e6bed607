/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab;

import java.io.IOException;

/** Something long that is measured on real nodes. */
public interface LabRun {
  /**
   * Runs everything. When its thread is interrupted it stops the nodes and returns.
   *
   * @throws IllegalStateException if a node does not start or a request fails that must not
   */
  void run() throws IOException;

  /** Returns what is finished so far. */
  LabReport report();
}
