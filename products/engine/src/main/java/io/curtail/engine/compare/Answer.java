/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.compare;

/** What came of the comparison of a partition. */
public enum Answer {
  /** Both sides have the same. */
  SAME,
  /** They differ; the log says in what. */
  DIFFERENT,
  /** Nobody looked before; the partition is followed from now on. */
  FOLLOWED,
  /** It is too large, or the table is not compared any more. */
  NOT_FOLLOWED
}
