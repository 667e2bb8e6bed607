/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The node's one RocksDB, opened, written and told apart by column family, and what it knows of
 * tables; may use Cassandra, RocksDB and, of the engine, {@code codec}, {@code log} and {@code
 * options}.
 */
package io.curtail.engine.store;
