/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/** Whose fault it is that a read failed. */
enum FailureCause {
  /** The replica's: it was too slow, or broken. */
  REPLICA,

  /**
   * The read's, wherever it is sent: it meets too many tombstones, is too large, or needs what the
   * table has not got. Tells nothing of the replica.
   */
  READ
}
