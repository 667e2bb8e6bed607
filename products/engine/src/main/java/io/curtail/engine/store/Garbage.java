/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

/** What was ever written to a table that deletes or expires; each includes those before it. */
public enum Garbage {
  NONE(0),
  /** Rows and cells. */
  IN_ROWS(2),
  /** Partitions and ranges of rows, which lie in other records than rows; what was once all. */
  ANYWHERE(1);

  final byte code;

  Garbage(int code) {
    this.code = (byte) code;
  }

  static Garbage of(byte[] stored) {
    if (stored == null) {
      return NONE;
    }
    return stored.length == 1 && stored[0] == IN_ROWS.code ? IN_ROWS : ANYWHERE;
  }
}
