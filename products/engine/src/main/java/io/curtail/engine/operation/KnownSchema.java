/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.operation;

import org.apache.cassandra.service.StorageService;

/** Whether the node's schema tells which tables there are not. Thread-safe. */
final class KnownSchema {
  private KnownSchema() {}

  /** Not that of a node that starts or joins, which may hear of a table yet. */
  static boolean isWhole() {
    return StorageService.instance.isDaemonSetupCompleted() && !StorageService.instance.isJoining();
  }

  /**
   * Comes before something is removed of which it knows nothing.
   *
   * @throws IllegalStateException if it may hear of it yet
   */
  static void check() {
    if (!isWhole()) {
      throw new IllegalStateException(
          "the node starts or joins, and may hear of tables yet: try again when it is up");
    }
  }
}
