/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * RocksDB as the storage engine of the tables of a stock Cassandra 5.0 node that ask for it.
 *
 * <p>{@link io.curtail.engine.RocksMemtable} is what {@code cassandra.yaml} names. A write goes
 * through {@code table.PartitionWriter} as one batch, a read through {@code table.PartitionReader}.
 * This package may use all those below it: {@code codec} is the bytes on disk, {@code log} what
 * makes a write durable, {@code options} what {@code cassandra.yaml} says, {@code store} the open
 * RocksDB, {@code table} a table in it, {@code snapshot} its snapshots, {@code operation} what goes
 * on with all of them, {@code compare} what tries the engine beside Cassandra.
 */
package io.curtail.engine;
