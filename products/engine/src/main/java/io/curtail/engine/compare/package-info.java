/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tables of Cassandra, compared with what RocksDB makes of the same writes; may use Cassandra and,
 * of the engine, {@code codec}, {@code options}, {@code store} and {@code table}.
 */
package io.curtail.engine.compare;
