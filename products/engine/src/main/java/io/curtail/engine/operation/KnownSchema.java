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
    return StorageService.instance.isDaemonSetupCompleted()
        && !StorageService.instance.isJoining();
  }
}
