/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

/** What was ever written to a table that deletes or expires; each includes those before it. */
public enum Garbage {
  NONE,
  /** Rows and cells. */
  IN_ROWS,
  /** Partitions and ranges of rows, which lie in other records than rows. */
  ANYWHERE
}
