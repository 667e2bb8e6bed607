/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * One table in RocksDB: its generations, how its partitions are read, written and swept; may use
 * Cassandra, RocksDB and, of the engine, {@code codec}, {@code log} and {@code store}.
 */
package io.curtail.engine.table;
