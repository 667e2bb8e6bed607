/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The parameters of memtable configurations, read and checked, and the memory they come to by
 * default; may use Cassandra and, of the engine, {@code log}, but not RocksDB.
 */
package io.curtail.engine.options;
