/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Snapshots of tables in RocksDB, taken and restored; may use Cassandra, RocksDB and, of the
 * engine, {@code codec}, {@code log}, {@code store} and {@code table}.
 */
package io.curtail.engine.snapshot;
