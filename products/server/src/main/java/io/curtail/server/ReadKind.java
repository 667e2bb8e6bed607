/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/** Reads whose times compare with each other, and not with those of the other kind. */
enum ReadKind {
  /** Of one partition. */
  POINT,

  /** Of a range of partitions, as by a secondary index or without a key. */
  RANGE;

  ReadKind other() {
    return this == POINT ? RANGE : POINT;
  }
}
