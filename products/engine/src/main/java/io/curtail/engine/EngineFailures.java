/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import io.curtail.engine.compare.Shadow;
import io.curtail.engine.compare.Shadows;
import org.apache.cassandra.utils.JVMStabilityInspector;

/**
 * Where errors go, once they are logged, that strike the engine in its own threads: to Cassandra's
 * {@code disk_failure_policy} if the node has rows in RocksDB, or files on their way. Else nothing
 * but {@linkplain Shadow shadows} can suffer, and only those end, if there are any still.
 */
final class EngineFailures {
  private EngineFailures() {}

  static void tell(Throwable error) {
    Engine engine = Engine.running();
    if (engine != null && !engine.database.hasAnything()) {
      Shadows.NODE.end("RocksDB failed: " + error);
    } else {
      JVMStabilityInspector.inspectThrowable(error);
    }
  }
}
