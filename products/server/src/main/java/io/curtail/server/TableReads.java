/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

/**
 * What Cassandra has counted of the reads of one kind that this node executed on one table, since
 * the node started. Equal for the same table; thread-safe.
 */
interface TableReads {
  long count();

  /** How long they took, in all. */
  long micros();
}
