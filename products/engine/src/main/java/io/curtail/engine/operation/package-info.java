/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What goes on with the tables of a node, asked by operators or by itself: moves, cleanups, sweeps,
 * watches; may use Cassandra, RocksDB and, of the engine, {@code codec}, {@code log}, {@code
 * options}, {@code snapshot}, {@code store} and {@code table}.
 */
package io.curtail.engine.operation;
