/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.log;

/** When a write is acknowledged, as in Cassandra's {@code commitlog_sync}. */
public enum SyncMode {
  /** At once; the log is synced every period, and writers wait if that falls behind. */
  PERIODIC,
  /** After its own sync; writers that come together share one. */
  BATCH,
  /** After the next sync, one every period. */
  GROUP
}
